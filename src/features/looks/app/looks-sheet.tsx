import { msg } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Bookmark, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { Button, IconButton } from '#ui/button.tsx'
import { BottomSheet } from '#ui/dialog.tsx'
import { TextField } from '#ui/field.tsx'
import { Form, useForm } from '#ui/form.tsx'
import { showSnackbar } from '#ui/snackbar.tsx'
import { useAction } from '#ui/use-action.ts'
import { lookNameMax } from '../rules.ts'
import type { LookView } from '../schemas.ts'
import { deleteLook, type LooksProps, looksQuery, renameLook, saveLook } from './looks-query.ts'

type Step = 'list' | 'keep' | { rename: LookView }

export function LooksSheet({ tool, params, onApply, onClose }: LooksProps & { onClose: () => void }) {
  const { t } = useLingui()
  const [step, setStep] = useState<Step>('list')
  const { data } = useQuery(looksQuery)
  const looks = (data?.items ?? []).filter((look) => look.tool === tool)
  const toList = () => setStep('list')
  if (step === 'keep') {
    const keep = (name: string) => saveLook({ tool, name, params })
    return (
      <BottomSheet open onClose={onClose} title={t`Simpan setelan ini`}>
        <NameForm name="" taken={looks.map(({ name }) => name)} send={keep} onDone={toList} />
      </BottomSheet>
    )
  }
  if (typeof step === 'object') {
    return (
      <BottomSheet open onClose={onClose} title={t`Ganti nama`}>
        <NameForm name={step.rename.name} send={(name) => renameLook(step.rename, name)} onDone={toList} />
      </BottomSheet>
    )
  }
  const apply = (look: LookView) => {
    const { name } = look
    onApply(look.params)
    showSnackbar('success', t`Setelan "${name}" dipakai`)
    onClose()
  }
  return (
    <BottomSheet open onClose={onClose} title={t`Setelanku`}>
      {looks.length === 0 && (
        <p className="mb-4 text-muted leading-relaxed">
          {t`Simpan pilihanmu di alat ini dengan nama, lalu pakai lagi dengan sekali ketuk, di semua perangkatmu.`}
        </p>
      )}
      <ul className="-mx-3 grid gap-1">
        {looks.map((look) => (
          <Row key={look.id} look={look} onApply={() => apply(look)} onRename={() => setStep({ rename: look })} />
        ))}
      </ul>
      <div className="mt-5 grid">
        <Button size="lg" icon={Plus} variant={looks.length > 0 ? 'soft' : 'primary'} onClick={() => setStep('keep')}>
          {t`Simpan setelan ini`}
        </Button>
      </div>
    </BottomSheet>
  )
}

function Row({ look, onApply, onRename }: { look: LookView; onApply: () => void; onRename: () => void }) {
  const { t } = useLingui()
  const { name } = look
  const remove = useAction(() => deleteLook(look), t`Setelan "${name}" dihapus`)
  return (
    <li className="flex items-center">
      <button
        type="button"
        className="flex min-h-13 min-w-0 flex-1 cursor-pointer items-center gap-4 rounded-field px-3 py-2 text-left font-semibold transition-colors hover:bg-base-200"
        onClick={onApply}
      >
        <Bookmark aria-hidden className="size-5 shrink-0" />
        <span className="wrap-anywhere min-w-0 flex-1">{name}</span>
      </button>
      <IconButton icon={Pencil} label={t`Ganti nama ${name}`} onClick={onRename} />
      <IconButton icon={Trash2} label={t`Hapus ${name}`} onClick={() => remove.mutate()} />
    </li>
  )
}

function NameForm({
  name,
  taken = [],
  send,
  onDone,
}: {
  name: string
  /** Names whose options would be replaced. */
  taken?: readonly string[]
  send: (name: string) => Promise<void>
  onDone: () => void
}) {
  const { t } = useLingui()
  const form = useForm({
    defaultValues: { name },
    check: ({ name }) => ({ name: name.trim() === '' ? 'required' : null }),
    texts: { 'look.nameTaken': msg`Nama ini sudah dipakai setelan lain` },
    async send({ name }) {
      await send(name.trim())
      onDone()
    },
  })
  const replaces = taken.includes(form.watch('name').trim())
  return (
    <Form form={form} action={t`Simpan`}>
      <TextField
        label={t`Nama`}
        placeholder={t`Misalnya: katalog toko`}
        maxLength={lookNameMax}
        autoFocus
        hint={replaces ? t`Setelan dengan nama ini akan diganti.` : undefined}
        {...form.field('name')}
      />
    </Form>
  )
}
