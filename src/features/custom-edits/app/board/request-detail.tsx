import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { ArrowLeft, MessageCircle } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatAge, formatDateTime } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { Button } from '#ui/button.tsx'
import { LoadFailed } from '#ui/load-failed.tsx'
import { PrivatePicture } from '#ui/private-picture.tsx'
import { Skeleton } from '#ui/skeleton.tsx'
import { customEditLabels } from '../../labels.ts'
import type { CustomEditStatus } from '../../rules.ts'
import type { BoardEditDetail } from '../../types.ts'
import { boardPath, requestQuery, useBoardAction } from './api.ts'
import { DeclineDialog } from './decline-dialog.tsx'
import { Notes } from './notes.tsx'
import { Results } from './results.tsx'

/** Of the badge. */
const tones: Record<CustomEditStatus, string> = { new: 'plain', in_progress: 'warn', done: 'good', declined: 'bad' }

function Contact({ request }: { request: BoardEditDetail }) {
  const { t } = useLingui()
  const { user, email, whatsapp, createdAt, status, dueAt, overdue, finishedAt, designer } = request
  const isAdmin = useAtomValue(userAtom)?.role === 'admin'
  return (
    <section className="adm-panel">
      <dl className="adm-facts">
        <dt>{t`Pemesan`}</dt>
        <dd>
          {isAdmin ? (
            <Link to={`/admin/users/${user.id}`} className="adm-row">
              {user.name}
            </Link>
          ) : (
            user.name
          )}
        </dd>
        <dt>{t`Email`}</dt>
        <dd>
          <a href={`mailto:${email}`} className="adm-row">
            {email}
          </a>
        </dd>
        <dt>WhatsApp</dt>
        <dd>
          <a
            href={`https://wa.me/${whatsapp.slice(1)}`}
            target="_blank"
            rel="noreferrer"
            className="adm-row inline-flex items-center gap-1.5"
          >
            <MessageCircle aria-hidden className="size-4" />
            {whatsapp}
          </a>
        </dd>
        <dt>{t`Dikirim`}</dt>
        <dd>{formatDateTime(createdAt)}</dd>
        {finishedAt ? (
          <>
            <dt>{status === 'declined' ? t`Ditolak` : t`Selesai`}</dt>
            <dd>{formatDateTime(finishedAt)}</dd>
          </>
        ) : (
          <>
            <dt>{t`Tenggat`}</dt>
            <dd className={overdue ? 'text-error' : ''}>
              {formatDateTime(dueAt)}{' '}
              <span className={`whitespace-nowrap ${overdue ? '' : 'text-muted'}`}>· {formatAge(dueAt)}</span>
            </dd>
          </>
        )}
        {designer && (
          <>
            <dt>{t`Desainer`}</dt>
            <dd>{designer.name}</dd>
          </>
        )}
      </dl>
    </section>
  )
}

function Wish({ request }: { request: BoardEditDetail }) {
  const { t } = useLingui()
  return (
    <section className="adm-panel">
      <header>
        <h2>{t`Permintaan`}</h2>
      </header>
      <div className="adm-body grid gap-4">
        <p className="whitespace-pre-line leading-relaxed">{request.description}</p>
        {request.reason && <p className="text-error">{request.reason}</p>}
        {request.attachments.length > 0 && (
          <>
            <p className="text-muted text-xs">{t`Membuka gambar pelanggan tercatat di log audit.`}</p>
            <ul className="grid gap-2 sm:grid-cols-2">
              {request.attachments.map(({ id, name }) => (
                <li key={id}>
                  <PrivatePicture path={`${boardPath}/${request.id}/files/${id}`} alt={name} label={t`Buka ${name}`} />
                </li>
              ))}
            </ul>
          </>
        )}
      </div>
    </section>
  )
}

function Actions({ request }: { request: BoardEditDetail }) {
  const { t } = useLingui()
  const me = useAtomValue(userAtom)
  const [declining, setDeclining] = useState(false)
  const take = useBoardAction({ said: t`Permintaan ini milikmu sekarang.` })
  const back = useBoardAction({ said: t`Dikembalikan ke papan.` })
  const finish = useBoardAction({ said: t`Hasilnya dikirim lewat email.` })
  const { id, status, results, designer } = request
  const own = designer?.id === me?.id || me?.role === 'admin'
  const open = status === 'new' || (status === 'in_progress' && own)
  return (
    <div className="flex flex-wrap gap-2">
      {status === 'new' && (
        <Button busy={take.isPending} onClick={() => take.mutate({ path: `${id}/take` })}>{t`Ambil`}</Button>
      )}
      {status === 'in_progress' && own && (
        <>
          <Button
            busy={finish.isPending}
            disabled={results.length === 0}
            onClick={() => finish.mutate({ path: `${id}/done` })}
          >
            {t`Kirim hasil`}
          </Button>
          <Button variant="outline" onClick={() => back.mutate({ path: `${id}/return` })}>{t`Kembalikan`}</Button>
        </>
      )}
      {open && <Button variant="outline" onClick={() => setDeclining(true)}>{t`Tolak`}</Button>}
      {declining && <DeclineDialog id={id} onClose={() => setDeclining(false)} />}
    </div>
  )
}

/** A request with everything a designer needs for it. */
export function RequestDetail({ id, back }: { id: string; back: string }) {
  const { i18n, t } = useLingui()
  const { data: request, error, refetch } = useQuery(requestQuery(id))
  return (
    <div className="adm-page">
      <header>
        <div className="grid min-w-0 flex-1 gap-1 max-md:flex-auto">
          <Link to={back} className="adm-back inline-flex items-center gap-1.5 text-muted">
            <ArrowLeft aria-hidden className="size-4" /> {t`Papan`}
          </Link>
          <h1 className="flex flex-wrap items-center gap-3">
            {request?.title ?? t`Permintaan khusus`}
            {request && (
              <span className="adm-badge" data-tone={tones[request.status]}>
                {i18n._(customEditLabels[request.status])}
              </span>
            )}
          </h1>
        </div>
        {request && <Actions request={request} />}
      </header>
      {!request && !error && <Skeleton className="h-64" />}
      {!request && error && (
        <section className="adm-panel">
          <LoadFailed error={error} onRetry={() => void refetch()} />
        </section>
      )}
      {request && (
        <div className="grid items-start gap-4 lg:grid-cols-2">
          <div className="grid gap-4">
            <Wish request={request} />
            <Contact request={request} />
          </div>
          <div className="grid gap-4">
            <Results request={request} />
            <Notes request={request} />
          </div>
        </div>
      )}
    </div>
  )
}
