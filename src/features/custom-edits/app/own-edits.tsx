import { useLingui } from '@lingui/react/macro'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { Download } from 'lucide-react'
import { type ReactNode, useEffect, useEffectEvent, useState } from 'react'
import { apiFetch } from '#client/api.ts'
import { formatDate, formatDateTime } from '#client/format.ts'
import { cannotDownload, saveLink } from '#client/save-blob.ts'
import { isAuthenticatedAtom } from '#client/session.ts'
import { ensureAllowedAge } from '#features/guardians/app/guardians.ts'
import { useSendJob } from '#features/uploads/app/uploads.ts'
import { Button } from '#ui/button.tsx'
import { Dialog } from '#ui/dialog.tsx'
import { TextAreaField } from '#ui/field.tsx'
import { Badge } from '#ui/lists/cells.tsx'
import { firstControl, restoreFocusTo } from '#ui/restore-focus.ts'
import { showSnackbar } from '#ui/snackbar.tsx'
import { useAction } from '#ui/use-action.ts'
import { customEditLabels, customEditTones } from '../labels.ts'
import { maxMessagePictures, noteMax, ratingCommentMax, ratingDays, resultsKeptUntil } from '../rules.ts'
import type { CustomEditView } from '../schemas.ts'
import { customEditsQuery } from './api.ts'
import { type Attachment, Attachments } from './attachments.tsx'
import { StarChoice, Stars } from './star-rating.tsx'

const headingId = 'custom-edits'

function Edit({ edit }: { edit: CustomEditView }) {
  const { i18n, t } = useLingui()
  const save = useAction(saveLink)
  const { title, status, createdAt, dueAt, reason, results } = edit
  const cover = results.length === 0 ? edit.attachments[0]?.thumbnailUrl : null
  const open = status === 'new' || status === 'in_progress'
  return (
    <li className="card grid grid-cols-1 content-start gap-3 p-4">
      <div className="flex flex-wrap items-start gap-3">
        {cover && (
          <img src={cover} alt="" loading="lazy" className="size-16 shrink-0 rounded-field bg-base-300 object-cover" />
        )}
        <div className="grid min-w-[min(9rem,100%)] flex-1 grid-cols-1 justify-items-start gap-1">
          <p className="wrap-anywhere line-clamp-2 font-semibold">{title}</p>
          <Badge tone={customEditTones[status]}>{i18n._(customEditLabels[status])}</Badge>
          <p className="text-muted text-sm">
            {open ? t`Paling lambat ${formatDate(dueAt)}` : t`Dikirim ${formatDate(createdAt)}`}
          </p>
        </div>
      </div>
      {reason && <p className="text-sm leading-relaxed">{reason}</p>}
      {results.length > 0 && (
        <ul className="grid grid-cols-2 gap-3">
          {results.map(({ id, url, thumbnailUrl, name, version }, index) => (
            <li key={id}>
              <a
                className="grid gap-2"
                href={url ?? undefined}
                download={name}
                onClick={(event) => {
                  if (!cannotDownload()) return
                  event.preventDefault()
                  save.mutate(event.currentTarget)
                }}
              >
                <img
                  src={thumbnailUrl ?? ''}
                  alt=""
                  loading="lazy"
                  className="checker aspect-square w-full rounded-field object-cover"
                />
                <span className="btn btn-soft btn-primary">
                  <Download aria-hidden className="size-4" /> {t`Hasil ${index + 1}`}
                  {edit.version > 1 && version === 2 && ` · ${t`versi 2`}`}
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
      <Rating edit={edit} />
      <Messages edit={edit}>{status === 'new' && <Withdraw id={edit.id} title={title} />}</Messages>
    </li>
  )
}

function Rating({ edit: { id, rating, canRate } }: { edit: CustomEditView }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const [stars, setStars] = useState(rating?.stars ?? 0)
  const [comment, setComment] = useState(rating?.comment ?? '')
  const send = useAction(async () => {
    await apiFetch(`/api/custom_edits/${id}/rating`, { method: 'POST', json: { stars, comment: comment.trim() } })
    setAsking(false)
    await client.invalidateQueries({ queryKey: customEditsQuery.queryKey })
  }, t`Terima kasih, penilaianmu tersimpan.`)
  return (
    <>
      {rating && (
        <div className="grid gap-1 text-sm">
          <Stars count={rating.stars} />
          {rating.comment && <p className="wrap-anywhere whitespace-pre-line text-muted">{rating.comment}</p>}
        </div>
      )}
      {canRate && (
        <Button
          ref={restoreFocusTo(firstControl)}
          variant="outline"
          className="justify-self-start"
          onClick={() => setAsking(true)}
        >
          {rating ? t`Ubah penilaian` : t`Nilai hasilnya`}
        </Button>
      )}
      <Dialog open={asking} onClose={() => setAsking(false)} title={t`Bagaimana hasilnya?`}>
        <div className="grid grid-cols-1 gap-4">
          <StarChoice value={stars} onChange={setStars} />
          <TextAreaField
            label={t`Satu kalimat untuk desainer (opsional)`}
            rows={2}
            maxLength={ratingCommentMax}
            value={comment}
            onChange={(event) => setComment(event.target.value)}
          />
          <p className="text-muted text-sm">{t`Dilihat desainer dan tim. Bisa diubah selama ${ratingDays} hari.`}</p>
          <div className="flex justify-end gap-2">
            <Button variant="ghost" onClick={() => setAsking(false)}>{t`Batal`}</Button>
            <Button busy={send.isPending} disabled={stars === 0} onClick={() => send.mutate()}>{t`Kirim`}</Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}

function Messages({
  edit: { id, status, messages, canReopen, finishedAt },
  children,
}: {
  edit: CustomEditView
  children: ReactNode
}) {
  const { t } = useLingui()
  const [writing, setWriting] = useState<'messages' | 'reopen' | null>(null)
  const open = status === 'new' || status === 'in_progress'
  return (
    <>
      {messages.length > 0 && (
        <ul className="grid gap-2 text-sm">
          {messages.map(({ id: message, mine, author, text: words, pictures: sent = [], createdAt }) => (
            <li key={message} className={`rounded-field px-3 py-2 ${mine ? 'bg-soft text-on-soft' : 'bg-base-200'}`}>
              <span className="wrap-anywhere whitespace-pre-line">{words}</span>
              {sent.length > 0 && (
                <span className="flex flex-wrap gap-2 py-1.5">
                  {sent.map(({ id: file, url, thumbnailUrl, name }) => (
                    <a key={file} href={url ?? undefined} target="_blank" rel="noreferrer">
                      <img
                        src={thumbnailUrl ?? ''}
                        alt={name}
                        loading="lazy"
                        className="size-16 rounded-field bg-base-300 object-cover"
                      />
                    </a>
                  ))}
                </span>
              )}
              <span className="block text-xs">
                {mine ? t`Kamu` : (author ?? t`Desainer`)} · {formatDateTime(createdAt)}
              </span>
            </li>
          ))}
        </ul>
      )}
      {canReopen && finishedAt && (
        <p className="text-muted text-sm leading-relaxed">
          {t`Sudah cocok? Tidak perlu apa-apa lagi. Kalau belum, minta versi kedua, gratis, sampai ${formatDate(resultsKeptUntil(finishedAt))}.`}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {open && <Button variant="outline" onClick={() => setWriting('messages')}>{t`Tulis pesan`}</Button>}
        {canReopen && (
          <Button ref={restoreFocusTo(firstControl)} variant="outline" onClick={() => setWriting('reopen')}>
            {t`Minta versi kedua`}
          </Button>
        )}
        {children}
      </div>
      {writing && <MessageDialog id={id} verb={writing} onClose={() => setWriting(null)} />}
    </>
  )
}

function MessageDialog({ id, verb, onClose }: { id: string; verb: 'messages' | 'reopen'; onClose: () => void }) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [text, setText] = useState('')
  const [pictures, setPictures] = useState<Attachment[]>([])
  const refetch = () => client.invalidateQueries({ queryKey: customEditsQuery.queryKey })
  const upload = useSendJob(() => void refetch())
  const { outcome, problem } = upload
  const finish = (arrived: boolean) => {
    showSnackbar('success', arrived ? t`Pesanmu sudah dikirim.` : t`Pesanmu terkirim begitu ada koneksi.`)
    onClose()
  }
  const onOutcome = useEffectEvent(finish)
  const send = useAction(async () => {
    const words = text.trim()
    if (pictures.length === 0) {
      await apiFetch(`/api/custom_edits/${id}/${verb}`, { method: 'POST', json: { text: words } })
      finish(true)
      return await refetch()
    }
    if (!(await ensureAllowedAge({ adultsOnly: true }))) return
    await upload.send({
      kind: 'custom_edit_message',
      tool: 'customize-edit',
      params: { request: id, verb, text: words },
      inputs: { pictures: pictures.map(({ file }) => ({ name: file.name, blob: file })) },
      price: 0,
    })
  })
  useEffect(() => {
    if (problem !== null) showSnackbar('error', problem)
  }, [problem])
  useEffect(() => {
    if (outcome !== null) onOutcome(outcome === 'arrived')
  }, [outcome])
  return (
    <Dialog open onClose={onClose} title={verb === 'reopen' ? t`Minta versi kedua` : t`Tulis pesan ke desainer`}>
      <div className="grid grid-cols-1 gap-4">
        {verb === 'reopen' && (
          <p className="text-muted leading-relaxed">
            {t`Gratis, satu kali. Tulis apa yang perlu diubah; hasil pertama tetap milikmu.`}
          </p>
        )}
        <TextAreaField
          label={t`Pesan`}
          rows={4}
          maxLength={noteMax}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
        <Attachments value={pictures} max={maxMessagePictures} onChange={setPictures} />
        <div className="flex justify-end gap-2">
          <Button variant="ghost" onClick={onClose}>{t`Batal`}</Button>
          <Button
            busy={send.isPending || upload.busy}
            disabled={text.trim() === ''}
            onClick={() => send.mutate()}
          >{t`Kirim`}</Button>
        </div>
      </div>
    </Dialog>
  )
}

function Withdraw({ id, title }: Pick<CustomEditView, 'id' | 'title'>) {
  const { t } = useLingui()
  const client = useQueryClient()
  const [asking, setAsking] = useState(false)
  const withdraw = useAction(async () => {
    try {
      await apiFetch(`/api/custom_edits/${id}/cancel`, { method: 'POST' })
    } finally {
      setAsking(false)
      await client.invalidateQueries({ queryKey: customEditsQuery.queryKey })
    }
  }, t`Permintaanmu sudah ditarik.`)
  return (
    <>
      <Button
        ref={restoreFocusTo(() => document.getElementById(headingId))}
        variant="outline"
        onClick={() => setAsking(true)}
      >
        {t`Tarik permintaan`}
      </Button>
      <Dialog open={asking} onClose={() => setAsking(false)} title={t`Tarik permintaan ini?`}>
        <p className="text-muted leading-relaxed">
          {t`"${title}" dihapus bersama fotonya. Kamu bisa mengirim permintaan lain kapan saja.`}
        </p>
        <div className="mt-5 flex justify-end gap-2">
          <Button variant="ghost" onClick={() => setAsking(false)}>{t`Batal`}</Button>
          <Button variant="danger" busy={withdraw.isPending} onClick={() => withdraw.mutate()}>{t`Tarik`}</Button>
        </div>
      </Dialog>
    </>
  )
}

export function OwnEdits() {
  const { t } = useLingui()
  const signedIn = useAtomValue(isAuthenticatedAtom)
  const { data } = useQuery({ ...customEditsQuery, enabled: signedIn })
  if (!data || data.items.length === 0) return null
  return (
    <section aria-labelledby={headingId} className="mb-8">
      <h2 id={headingId} className="mb-3 font-bold text-lg">{t`Edit khusus`}</h2>
      <ul className="grid grid-cols-1 gap-3 md:grid-cols-2">
        {data.items.map((edit) => (
          <Edit key={edit.id} edit={edit} />
        ))}
      </ul>
    </section>
  )
}
