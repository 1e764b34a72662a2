import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { errorText } from '#client/api.ts'
import { Button } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { TextAreaField, TextField } from '#ui/field.tsx'
import { Form, FormProblem, useForm } from '#ui/form.tsx'
import { type InvoiceBuyer as Buyer, toNpwp } from '../rules.ts'
import type { OrderView } from '../schemas.ts'
import { rememberOrder, setInvoiceBuyer } from './api.ts'

const texts = { npwp: msg`NPWP terdiri dari 15 atau 16 angka` }

function BuyerForm({
  known,
  onSave,
  onRemove,
}: {
  known: Buyer | null
  onSave: (buyer: Buyer) => Promise<unknown>
  onRemove: () => Promise<unknown>
}) {
  const { t } = useLingui()
  const form = useForm<Buyer>({
    defaultValues: known ?? { company: '', npwp: '', address: '' },
    texts,
    check: ({ company, npwp, address }) => ({
      company: company.trim() ? null : 'required',
      npwp: toNpwp(npwp) ? null : 'npwp',
      address: address.trim() ? null : 'required',
    }),
    send: onSave,
  })
  const remove = useMutation({ mutationFn: onRemove })
  return (
    <Form form={form} className="grid grid-cols-1 gap-3">
      <TextField label={t`Nama perusahaan`} autoComplete="organization" maxLength={120} {...form.field('company')} />
      <TextField label="NPWP" inputMode="numeric" maxLength={24} {...form.field('npwp')} />
      <TextAreaField
        label={t`Alamat perusahaan`}
        autoComplete="street-address"
        maxLength={300}
        {...form.field('address')}
      />
      <FormProblem>{form.problem ?? (remove.error && errorText(remove.error))}</FormProblem>
      <Button type="submit" size="lg" busy={form.busy}>
        {t`Simpan`}
      </Button>
      {known && (
        <Button variant="ghost" busy={remove.isPending} onClick={() => remove.mutate()}>
          {t`Pakai namaku saja`}
        </Button>
      )}
    </Form>
  )
}

/** The company on the invoice: editable until the payment, then only shown. */
export function InvoiceBuyer({ order }: { order: OrderView }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const { invoiceBuyer: buyer, canChangeInvoice } = order
  const save = async (next: Buyer | null) => {
    rememberOrder(client, await setInvoiceBuyer(order.id, next))
    setOpen(false)
  }
  if (!buyer && !canChangeInvoice) return null
  return (
    <section aria-label={t`Data invoice`} className="card grid grid-cols-1 gap-3 p-5 text-sm">
      {buyer && (
        <p className="wrap-anywhere leading-relaxed">
          <strong className="block text-base">{buyer.company}</strong>
          NPWP {buyer.npwp}
          <span className="block text-muted">{buyer.address}</span>
        </p>
      )}
      {canChangeInvoice && (
        <Button variant="soft" icon={FileText} onClick={() => setOpen(true)}>
          {buyer ? t`Ubah data invoice` : t`Perlu invoice perusahaan?`}
        </Button>
      )}
      <BottomSheet open={open} onClose={() => setOpen(false)} title={t`Data invoice`}>
        <BuyerForm known={buyer} onSave={save} onRemove={() => save(null)} />
      </BottomSheet>
    </section>
  )
}
