import '#ui/late-components.css'
import { plural } from '@lingui/core/macro'
import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { ArrowLeft, Download, MessageCircle } from 'lucide-react'
import { useForm } from 'react-hook-form'
import { Link } from 'wouter'
import { apiFetch } from '#client/api.ts'
import { formatAge, formatDateTime } from '#client/format.ts'
import { saveBlob } from '#client/save-blob.ts'
import { userAtom } from '#client/session.ts'
import { DialogButton } from '#ui/admin/dialogs.tsx'
import { FormDialog } from '#ui/admin/form-dialog.tsx'
import { AdminPage } from '#ui/admin/page.tsx'
import { ActRefusal, useActRefusal } from '#ui/admin/permissions.tsx'
import { useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { CheckboxField, TextAreaField } from '#ui/field.tsx'
import { Badge } from '#ui/lists/cells.tsx'
import { Detail, Details, linkClass, Panel, Rows, TextLink } from '#ui/lists/panel.tsx'
import { Loaded } from '#ui/lists/query-state.tsx'
import { PrivatePicture } from '#ui/private-picture.tsx'
import { restoreFocusTo } from '#ui/restore-focus.ts'
import { useAction } from '#ui/use-action.ts'
import { customEditLabels, customEditTones } from '../../labels.ts'
import { declineReasonMax, noteMax } from '../../rules.ts'
import type { BoardEditDetail } from '../../schemas.ts'
import { Stars } from '../star-rating.tsx'
import { editPath, editQuery } from './api.ts'
import { Results } from './results.tsx'

function Notes({ edit: { id, notes, user } }: { edit: BoardEditDetail }) {
  const { t } = useLingui()
  const { register, handleSubmit, reset, watch } = useForm({ defaultValues: { text: '', shared: false } })
  const shared = watch('shared')
  const mayWrite = useActRefusal()({ id: user.id, role: 'user' }, 'service') === undefined
  const add = useChange()
  const submit = handleSubmit((json) => {
    if (json.text.trim() !== '') add.mutate({ path: `${editPath(id)}/notes`, json }, { onSuccess: () => reset() })
  })
  return (
    <Panel title={t`Catatan dan pesan`}>
      <Rows
        rows={notes.map((note) => ({
          key: note.id,
          text: <span className="whitespace-pre-line">{note.text}</span>,
          note: [
            note.author,
            formatDateTime(note.createdAt),
            note.pictures > 0 && t`${plural(note.pictures, { other: '# gambar ada di permintaan' })}`,
          ]
            .filter(Boolean)
            .join(' · '),
          end: note.shared && (
            <Badge tone="accent">{note.author === user.name ? t`Dari pelanggan` : t`Untuk pelanggan`}</Badge>
          ),
        }))}
      />
      <form className="grid grid-cols-1 gap-2 p-4" hidden={!mayWrite} onSubmit={submit}>
        <textarea
          rows={2}
          maxLength={noteMax}
          aria-label={t`Catatan baru`}
          placeholder={shared ? t`Dikirim ke pelanggan lewat email` : t`Hanya terlihat oleh tim`}
          className="textarea min-h-11 w-full"
          {...register('text')}
        />
        <div className="flex flex-wrap items-center justify-between gap-2">
          <CheckboxField label={t`Kirim ke pelanggan`} {...register('shared')} />
          <Button type="submit" variant="outline" busy={add.isPending}>
            {shared ? t`Kirim` : t`Simpan`}
          </Button>
        </div>
      </form>
    </Panel>
  )
}

function Contact({ edit }: { edit: BoardEditDetail }) {
  const { t } = useLingui()
  const { user, email, whatsapp, createdAt, status, dueAt, overdue, finishedAt, designer } = edit
  const isAdmin = useAtomValue(userAtom)?.role === 'admin'
  return (
    <Panel>
      <Details>
        <Detail name={t`Pemesan`}>
          {isAdmin ? <TextLink to={`/admin/users/${user.id}`}>{user.name}</TextLink> : user.name}
        </Detail>
        <Detail name={t`Email`}>
          <a href={`mailto:${email}`} className={`${linkClass} wrap-anywhere`}>
            {email}
          </a>
        </Detail>
        <Detail name="WhatsApp">
          <a
            href={`https://wa.me/${whatsapp.slice(1)}`}
            target="_blank"
            rel="noreferrer"
            className={`${linkClass} inline-flex items-center gap-1.5`}
          >
            <MessageCircle aria-hidden className="size-4" />
            {whatsapp}
          </a>
        </Detail>
        <Detail name={t`Dikirim`}>{formatDateTime(createdAt)}</Detail>
        <Detail name={status === 'declined' ? t`Ditolak` : t`Selesai`}>
          {finishedAt && formatDateTime(finishedAt)}
        </Detail>
        <Detail name={t`Tenggat`}>
          {!finishedAt && (
            <span className={overdue ? 'text-error' : ''}>
              {formatDateTime(dueAt)}{' '}
              <span className={`whitespace-nowrap ${overdue ? '' : 'text-muted'}`}>· {formatAge(dueAt)}</span>
            </span>
          )}
        </Detail>
        <Detail name={t`Desainer`}>{designer?.name}</Detail>
      </Details>
    </Panel>
  )
}

function Rated({ rating: { stars, comment, ratedAt } }: { rating: NonNullable<BoardEditDetail['rating']> }) {
  const { t } = useLingui()
  return (
    <Panel title={t`Penilaian pelanggan`}>
      <div className="grid gap-1 p-4">
        <p className="flex items-center gap-2">
          <Stars count={stars} /> <span className="text-muted text-sm">{formatDateTime(ratedAt)}</span>
        </p>
        {comment && <p className="wrap-anywhere whitespace-pre-line leading-relaxed">{comment}</p>}
      </div>
    </Panel>
  )
}

function RequestCard({ edit }: { edit: BoardEditDetail }) {
  const { t } = useLingui()
  const { id, title, attachments } = edit
  const save = useAction(async () => {
    const response = await apiFetch(`/api/admin/${editPath(id)}/originals`)
    await saveBlob(await response.blob(), attachments.length > 1 ? `${title}.zip` : (attachments[0]?.name ?? title))
  })
  return (
    <Panel title={t`Permintaan`}>
      <div className="grid grid-cols-1 gap-4 p-4">
        <p className="wrap-anywhere whitespace-pre-line leading-relaxed">{edit.description}</p>
        {edit.reason && <p className="text-error">{edit.reason}</p>}
        {edit.attachments.length > 0 && (
          <>
            <div className="flex flex-wrap items-center justify-between gap-2">
              <p className="text-muted text-xs">{t`Membuka gambar pelanggan tercatat di log audit.`}</p>
              <Button variant="outline" icon={Download} busy={save.isPending} onClick={() => save.mutate()}>
                {edit.attachments.length > 1 ? t`Unduh semua (ZIP)` : t`Unduh aslinya`}
              </Button>
            </div>
            <ul className="grid grid-cols-1 gap-2 sm:grid-cols-2">
              {edit.attachments.map(({ id, name }) => (
                <li key={id}>
                  <PrivatePicture
                    path={`/api/admin/${editPath(edit.id)}/files/${id}`}
                    alt={name}
                    label={t`Buka ${name}`}
                  />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Panel>
  )
}

function Actions({ edit: { id, status, results, designer, version: newest, user } }: { edit: BoardEditDetail }) {
  const { t } = useLingui()
  const me = useAtomValue(userAtom)
  const take = useChange({ successMessage: t`Permintaan ini milikmu sekarang.` })
  const giveBack = useChange({ successMessage: t`Dikembalikan ke papan.` })
  const path = editPath(id)
  const working = status === 'in_progress' && (designer?.id === me?.id || me?.role === 'admin')
  const refusal = useActRefusal()({ id: user.id, role: 'user' }, 'service')
  if (refusal) return status === 'new' || status === 'in_progress' ? <ActRefusal>{refusal}</ActRefusal> : null
  const ready = results.filter(({ version }) => version === newest)
  return (
    <div className="flex flex-wrap gap-2">
      {status === 'new' && (
        <Button
          ref={restoreFocusTo()}
          busy={take.isPending}
          onClick={() => take.mutate({ path: `${path}/take` })}
        >{t`Ambil`}</Button>
      )}
      {working && (
        <>
          <DialogButton
            ref={restoreFocusTo()}
            variant="primary"
            disabled={ready.length === 0}
            dialog={
              <FormDialog
                title={t`Kirim hasil ke ${user.name}?`}
                text={t`${ready.length} gambar dikirim lewat email dan tampil di riwayatnya: ${ready.map(({ name }) => name).join(', ')}`}
                confirm={t`Kirim hasil`}
                successMessage={t`Hasilnya dikirim lewat email.`}
                values={{ note: '' }}
                change={(json) => ({ path: `${path}/done`, json })}
              >
                {({ field }) => (
                  <TextAreaField
                    label={t`Pesan untuk pelanggan (opsional)`}
                    rows={3}
                    maxLength={noteMax}
                    {...field('note')}
                  />
                )}
              </FormDialog>
            }
          >
            {t`Kirim hasil`}
          </DialogButton>
          <Button
            ref={restoreFocusTo()}
            variant="outline"
            onClick={() => giveBack.mutate({ path: `${path}/return` })}
          >{t`Kembalikan`}</Button>
        </>
      )}
      {(status === 'new' || working) && (
        <DialogButton
          ref={restoreFocusTo()}
          dialog={
            <FormDialog
              danger
              title={t`Tolak permintaan ini?`}
              confirm={t`Tolak`}
              successMessage={t`Pelanggan mendapat alasanmu lewat email.`}
              reason={{ label: t`Alasan untuk pelanggan`, max: declineReasonMax }}
              change={{ path: `${path}/decline` }}
            />
          }
        >{t`Tolak`}</DialogButton>
      )}
    </div>
  )
}

export function EditScreen({ id, back }: { id: string; back: string }) {
  const { i18n, t } = useLingui()
  const query = useQuery(editQuery(id))
  const { data: edit } = query
  return (
    <AdminPage
      title={edit?.title ?? t`Permintaan khusus`}
      badge={edit && <Badge tone={customEditTones[edit.status]}>{i18n._(customEditLabels[edit.status])}</Badge>}
      above={
        <Link to={back} className="inline-flex items-center gap-1.5 text-muted pointer-coarse:py-3">
          <ArrowLeft aria-hidden className="size-4" /> {t`Papan`}
        </Link>
      }
      actions={edit && <Actions edit={edit} />}
    >
      <Loaded query={query}>
        {(edit) => (
          <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
            <div className="grid grid-cols-1 gap-4">
              <RequestCard edit={edit} />
              <Contact edit={edit} />
            </div>
            <div className="grid gap-4">
              <Results edit={edit} />
              {edit.rating && <Rated rating={edit.rating} />}
              <Notes edit={edit} />
            </div>
          </div>
        )}
      </Loaded>
    </AdminPage>
  )
}
