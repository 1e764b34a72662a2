import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { CircleCheck, CloudUpload, Sparkles } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { useBusy } from '#client/busy.ts'
import { isAuthenticatedAtom, userAtom } from '#client/session.ts'
import { customEditProblems, descriptionMax, maxAttachments, titleMax } from '#features/custom-edits/rules.ts'
import { saveDraft, takeDraft } from '#features/generations/app/generations.ts'
import { ageQuery, ensureAllowedAge } from '#features/guardians/app/guardians.ts'
import { PushOffer } from '#features/push/app/push.ts'
import { type JobOutcome, memoryNote, useSendJob } from '#features/uploads/app/uploads.ts'
import { instantEdit, maxPrompt } from '#tools/instant-edit/contract/definition.ts'
import { isOffered, useTool } from '#tools/ui/tools-query.ts'
import { Button, LinkButton } from '#ui/button.tsx'
import { CreditCount } from '#ui/credit-count.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { CheckboxField, EmailField, TextAreaField, TextField } from '#ui/field.tsx'
import { Form, FormProblem, useForm } from '#ui/form.tsx'
import { PageHeader } from '#ui/page-header.tsx'
import { customEditsQuery } from '../api.ts'
import { type Attachment, Attachments } from '../attachments.tsx'

const tool = 'customize-edit'

const empty = { title: '', whatsapp: '', description: '', onlyMyFace: false }

export function CustomEditPage() {
  const { t } = useLingui()
  const [path] = useLocation()
  const user = useAtomValue(userAtom)
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const [attachments, setAttachments] = useState<Attachment[]>([])
  const [about, setAbout] = useState<string | null>(null)
  const client = useQueryClient()
  const isMinor = useQuery({ ...ageQuery, enabled: signedIn }).data?.band === 'minor'
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
    check: (fields) => ({
      ...customEditProblems(fields),
      ...(isMinor && !fields.onlyMyFace && { onlyMyFace: 'customEdit.onlyMyFace' }),
    }),
    texts: {
      'customEdit.onlyMyFace': t`Foto dengan wajah orang lain baru boleh diedit setelah kamu dewasa.`,
      whatsapp: t`Nomor WhatsApp tidak valid. Contoh: 0812 3456 7890, atau +65 9123 4567.`,
      email: t`Email tidak valid`,
    },
    send: async ({ onlyMyFace, ...fields }) => {
      if (!(await ensureAllowedAge({ adultsOnly: !onlyMyFace }))) return
      const params = { ...fields, ...(isMinor && { onlyMyFace }), ...(about !== null && { generationId: about }) }
      const files = attachments.map(({ file, output }) => ({ name: file.name, blob: file, output }))
      await sending.send({ kind: 'custom_edit', tool, params, inputs: { attachments: files }, price: 0 })
    },
  })
  useBusy(form.formState.isDirty || attachments.length > 0)
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
      <Form form={form} className="card grid max-w-2xl grid-cols-1 gap-5 p-5 md:p-8">
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
        <Attachments value={attachments} max={maxAttachments} onChange={setAttachments} />
        {isMinor ? (
          <CheckboxField label={t`Tidak ada wajah orang lain di gambar-gambar ini`} {...form.field('onlyMyFace')} />
        ) : (
          <InstantOffer prompt={form.watch('description')} files={attachments} />
        )}
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

function SentDialog({ outcome, email, onClose }: { outcome: JobOutcome; email: string; onClose: () => void }) {
  const { t, i18n } = useLingui()
  const arrived = outcome === 'arrived'
  const Icon = arrived ? CircleCheck : CloudUpload
  const titles: Record<JobOutcome, string> = {
    arrived: t`Permintaanmu terkirim`,
    queuedOffline: t`Permintaanmu tersimpan`,
    memoryOnly: t`Menunggu koneksi`,
  }
  return (
    <Dialog open onClose={onClose} title={titles[outcome]}>
      <div className="grid grid-cols-1 gap-5">
        <Icon aria-hidden className="size-12 text-success" />
        <p className="leading-relaxed">
          {arrived
            ? t`Desainer kami mengerjakannya dan mengirim hasilnya ke ${email} dalam 2 sampai 4 hari.`
            : t`Begitu ada koneksi, permintaan ini terkirim sendiri, sekali saja. Hasilnya nanti dikirim ke ${email}.`}
        </p>
        {outcome === 'memoryOnly' && <p className="leading-relaxed">{i18n._(memoryNote)}</p>}
        {arrived && <PushOffer>{t`Beri tahu aku kalau ada jawaban`}</PushOffer>}
        <div className="flex flex-wrap justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>{t`Tutup`}</Button>
          <LinkButton to="/history">{t`Lihat riwayat`}</LinkButton>
        </div>
      </div>
    </Dialog>
  )
}

/** Hidden without a provider. */
function InstantOffer({
  prompt,
  files,
}: {
  prompt: string
  files: readonly { file: File; output?: string | undefined }[]
}) {
  const { t } = useLingui()
  const [, navigate] = useLocation()
  const tool = useTool(instantEdit.id)
  if (!isOffered(instantEdit, tool)) return null
  const open = async () => {
    const [first] = files
    const params = { ...instantEdit.defaults, prompt: prompt.trim().slice(0, maxPrompt) }
    const settings = { params, stage: null, shrink: true }
    if (first) {
      const { file, output } = first
      await saveDraft({ tool: instantEdit.id, files: [{ file, ...(output && { output }) }], settings })
    }
    navigate(instantEdit.route)
  }
  return (
    <div className="grid gap-3 rounded-box border border-line p-4">
      <p className="leading-relaxed">
        {t`Tidak mau menunggu? AI bisa membuat drafnya sekarang. Kalau belum pas, permintaanmu tetap bisa dikirim ke desainer.`}
      </p>
      <Button variant="soft" icon={Sparkles} onClick={() => void open()}>
        {t`Buat draf AI`} <span aria-hidden>·</span> <CreditCount count={tool.credits} />
      </Button>
    </div>
  )
}
