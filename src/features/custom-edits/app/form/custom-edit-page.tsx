import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useLocation } from 'wouter'
import { errorText } from '#client/errors.ts'
import { isAuthenticatedAtom, userAtom } from '#client/session.ts'
import { isEmail } from '#contract/email.ts'
import { descriptionMax, titleMax } from '#features/custom-edits/rules.ts'
import { takeDraft } from '#features/generations/app/generations.ts'
import { useSendJob } from '#features/uploads/app/uploads.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { EmailField, Field, TextField } from '#ui/field.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { customEditsQuery } from '../api.ts'
import { type Attachment, Attachments } from './attachments.tsx'
import { SentDialog } from './sent-dialog.tsx'

const tool = 'customize-edit'

interface Fields {
  title: string
  whatsapp: string
  email: string
  description: string
}

const empty = { title: '', whatsapp: '', description: '' }

/** /customize-edit: asks a designer for what no tool does. */
export function CustomEditPage() {
  const { t } = useLingui()
  const [path] = useLocation()
  const user = useAtomValue(userAtom)
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const [attachments, setAttachments] = useState<Attachment[]>([])
  const [about, setAbout] = useState<string | null>(null)
  const client = useQueryClient()
  const request = useSendJob(() => void client.invalidateQueries({ queryKey: customEditsQuery.queryKey }))
  const { register, handleSubmit, reset, getValues, formState } = useForm<Fields>({
    defaultValues: { ...empty, email: user?.email ?? '' },
  })
  useEffect(() => {
    void takeDraft(tool).then((draft) => {
      if (!draft) return
      const { generationId } = (draft.settings ?? {}) as { generationId?: string }
      setAbout(generationId ?? null)
      setAttachments(draft.files.map(({ file, output }) => ({ id: crypto.randomUUID(), file, output })))
    })
  }, [])
  const required = t`Bagian ini wajib diisi`
  const filled = (text: string) => text.trim() !== '' || required
  const submit = handleSubmit((fields) => {
    const params = { ...fields, ...(about !== null && { generationId: about }) }
    const files = attachments.map(({ file, output }) => ({ name: file.name, blob: file, output }))
    return request.send({ kind: 'custom_edit', tool, params, inputs: { attachments: files }, price: 0 })
  })
  const close = () => {
    reset({ ...empty, email: getValues('email') })
    setAttachments([])
    setAbout(null)
    request.clear()
  }
  const { errors } = formState
  return (
    <div className="page pb-16">
      <PageHeader title={t`Edit Khusus`}>
        {t`Ceritakan maumu. Desainer kami mengerjakannya, dan hasilnya sampai di emailmu dalam 2 sampai 4 hari. Gratis.`}
      </PageHeader>
      <form noValidate className="card grid max-w-2xl gap-5 p-5 md:p-8" onSubmit={(event) => void submit(event)}>
        <TextField
          label={t`Judul`}
          placeholder={t`Misalnya: hapus orang di belakang`}
          maxLength={titleMax}
          error={errors.title?.message}
          {...register('title', { validate: filled })}
        />
        <div className="grid items-start gap-5 md:grid-cols-2">
          <TextField
            label={t`Nomor WhatsApp`}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            placeholder="0812 3456 7890"
            error={errors.whatsapp?.message}
            {...register('whatsapp', {
              validate: async (text) => {
                if (text.trim() === '') return required
                // Numbering plans are large, and wanted only once somebody typed a number.
                const { whatsappNumber } = await import('../../whatsapp.ts')
                return whatsappNumber(text) !== undefined || t`Nomor WhatsApp tidak valid. Contoh: 0812 3456 7890.`
              },
            })}
          />
          <EmailField
            label={t`Email`}
            autoComplete="email"
            error={errors.email?.message}
            {...register('email', {
              validate: (text) => {
                if (text.trim() === '') return required
                return isEmail(text.trim()) || t`Email tidak valid`
              },
            })}
          />
        </div>
        <Field label={t`Permintaan`} error={errors.description?.message}>
          {(ids) => (
            <textarea
              {...ids}
              rows={5}
              maxLength={descriptionMax}
              className={`textarea w-full text-base ${errors.description ? 'textarea-error' : ''}`}
              placeholder={t`Apa yang ingin diubah, dan seperti apa hasilnya nanti`}
              {...register('description', { validate: filled })}
            />
          )}
        </Field>
        <Attachments value={attachments} onChange={setAttachments} />
        {request.problem !== null && (
          <p role="alert" className="font-medium text-error text-sm">
            {typeof request.problem === 'string' ? request.problem : errorText(request.problem)}
          </p>
        )}
        {signedIn ? (
          <Button type="submit" size="lg" busy={request.busy}>{t`Kirim permintaan`}</Button>
        ) : (
          <div className="grid gap-3">
            <p className="text-muted">{t`Masuk dulu, supaya kamu bisa melihat status permintaanmu.`}</p>
            <LinkButton size="lg" to="/login" state={{ from: path }}>{t`Masuk`}</LinkButton>
          </div>
        )}
      </form>
      {request.outcome && <SentDialog outcome={request.outcome} email={user?.email ?? ''} onClose={close} />}
    </div>
  )
}
