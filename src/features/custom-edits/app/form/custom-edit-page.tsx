import { useLingui } from '@lingui/react/macro'
import { useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { isAuthenticatedAtom, userAtom } from '#client/session.ts'
import { customEditProblems, descriptionMax, titleMax } from '#features/custom-edits/rules.ts'
import { takeDraft } from '#features/generations/app/generations.ts'
import { useSendJob } from '#features/uploads/app/uploads.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { EmailField, TextAreaField, TextField } from '#ui/field.tsx'
import { Form, FormProblem, useForm } from '#ui/form.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { customEditsQuery } from '../api.ts'
import { type Attachment, Attachments } from './attachments.tsx'
import { SentDialog } from './sent-dialog.tsx'

const tool = 'customize-edit'

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
  const sending = useSendJob(() => void client.invalidateQueries({ queryKey: customEditsQuery.queryKey }))
  useEffect(() => {
    void takeDraft(tool).then((draft) => {
      if (!draft) return
      const { generationId } = (draft.settings ?? {}) as { generationId?: string }
      setAbout(generationId ?? null)
      setAttachments(draft.files.map(({ file, output }) => ({ id: crypto.randomUUID(), file, output })))
    })
  }, [])
  const form = useForm({
    defaultValues: { ...empty, email: user?.email ?? '' },
    check: customEditProblems,
    texts: { whatsapp: t`Nomor WhatsApp tidak valid. Contoh: 0812 3456 7890.`, email: t`Email tidak valid` },
    send: (fields) => {
      const params = { ...fields, ...(about !== null && { generationId: about }) }
      const files = attachments.map(({ file, output }) => ({ name: file.name, blob: file, output }))
      return sending.send({ kind: 'custom_edit', tool, params, inputs: { attachments: files }, price: 0 })
    },
  })
  const close = () => {
    form.reset({ ...empty, email: form.getValues('email') })
    setAttachments([])
    setAbout(null)
    sending.clear()
  }
  return (
    <div className="page pb-16">
      <PageHeader title={t`Edit Khusus`}>
        {t`Ceritakan maumu. Desainer kami mengerjakannya, dan hasilnya sampai di emailmu dalam 2 sampai 4 hari. Gratis.`}
      </PageHeader>
      <Form form={form} className="card grid max-w-2xl gap-5 p-5 md:p-8">
        <TextField
          label={t`Judul`}
          placeholder={t`Misalnya: hapus orang di belakang`}
          maxLength={titleMax}
          {...form.field('title')}
        />
        <div className="grid items-start gap-5 md:grid-cols-2">
          <TextField
            label={t`Nomor WhatsApp`}
            type="tel"
            inputMode="tel"
            autoComplete="tel"
            placeholder="0812 3456 7890"
            {...form.field('whatsapp')}
          />
          <EmailField label={t`Email`} autoComplete="email" {...form.field('email')} />
        </div>
        <TextAreaField
          label={t`Permintaan`}
          rows={5}
          maxLength={descriptionMax}
          placeholder={t`Apa yang ingin diubah, dan seperti apa hasilnya nanti`}
          {...form.field('description')}
        />
        <Attachments value={attachments} onChange={setAttachments} />
        <FormProblem>{sending.problem}</FormProblem>
        {signedIn ? (
          <Button type="submit" size="lg" busy={sending.busy}>{t`Kirim permintaan`}</Button>
        ) : (
          <div className="grid gap-3">
            <p className="text-muted">{t`Masuk dulu, supaya kamu bisa melihat status permintaanmu.`}</p>
            <LinkButton size="lg" to="/login" state={{ from: path }}>{t`Masuk`}</LinkButton>
          </div>
        )}
      </Form>
      {sending.outcome && <SentDialog outcome={sending.outcome} email={user?.email ?? ''} onClose={close} />}
    </div>
  )
}
