import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { useAtomValue } from 'jotai'
import { ArrowLeft, MessageCircle } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'wouter'
import { formatAge, formatDateTime } from '#client/format.ts'
import { userAtom } from '#client/session.ts'
import { Badge, type Tone } from '#ui/admin/badge.tsx'
import { Loaded } from '#ui/admin/loaded.tsx'
import { AdminPage, Facts, Panel } from '#ui/admin/page.tsx'
import { useChange } from '#ui/admin/queries.ts'
import { Button } from '#ui/button.tsx'
import { PrivatePicture } from '#ui/private-picture.tsx'
import { customEditLabels } from '../../labels.ts'
import type { CustomEditStatus } from '../../rules.ts'
import type { BoardEditDetail } from '../../types.ts'
import { boardPath, requestQuery } from './api.ts'
import { DeclineDialog } from './decline-dialog.tsx'
import { Notes } from './notes.tsx'
import { Results } from './results.tsx'

/** Of the badge. */
const tones: Record<CustomEditStatus, Tone> = { new: 'plain', in_progress: 'warn', done: 'good', declined: 'bad' }

const link = 'link link-hover font-semibold'

function Contact({ request }: { request: BoardEditDetail }) {
  const { t } = useLingui()
  const { user, email, whatsapp, createdAt, status, dueAt, overdue, finishedAt, designer } = request
  const isAdmin = useAtomValue(userAtom)?.role === 'admin'
  return (
    <Panel>
      <Facts
        items={[
          [
            t`Pemesan`,
            isAdmin ? (
              <Link key="user" to={`/admin/users/${user.id}`} className={link}>
                {user.name}
              </Link>
            ) : (
              user.name
            ),
          ],
          [
            t`Email`,
            <a key="email" href={`mailto:${email}`} className={link}>
              {email}
            </a>,
          ],
          [
            'WhatsApp',
            <a
              key="whatsapp"
              href={`https://wa.me/${whatsapp.slice(1)}`}
              target="_blank"
              rel="noreferrer"
              className={`${link} inline-flex items-center gap-1.5`}
            >
              <MessageCircle aria-hidden className="size-4" />
              {whatsapp}
            </a>,
          ],
          [t`Dikirim`, formatDateTime(createdAt)],
          finishedAt && [status === 'declined' ? t`Ditolak` : t`Selesai`, formatDateTime(finishedAt)],
          !finishedAt && [
            t`Tenggat`,
            <span key="due" className={overdue ? 'text-error' : ''}>
              {formatDateTime(dueAt)}{' '}
              <span className={`whitespace-nowrap ${overdue ? '' : 'text-muted'}`}>· {formatAge(dueAt)}</span>
            </span>,
          ],
          designer && [t`Desainer`, designer.name],
        ]}
      />
    </Panel>
  )
}

function Wish({ request }: { request: BoardEditDetail }) {
  const { t } = useLingui()
  return (
    <Panel title={t`Permintaan`}>
      <div className="grid gap-4 p-4">
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
    </Panel>
  )
}

function Actions({ request }: { request: BoardEditDetail }) {
  const { t } = useLingui()
  const me = useAtomValue(userAtom)
  const [declining, setDeclining] = useState(false)
  const take = useChange({ said: t`Permintaan ini milikmu sekarang.` })
  const back = useChange({ said: t`Dikembalikan ke papan.` })
  const finish = useChange({ said: t`Hasilnya dikirim lewat email.` })
  const { id, status, results, designer } = request
  const own = designer?.id === me?.id || me?.role === 'admin'
  const open = status === 'new' || (status === 'in_progress' && own)
  return (
    <div className="flex flex-wrap gap-2">
      {status === 'new' && (
        <Button
          busy={take.isPending}
          onClick={() => take.mutate({ path: `${boardPath}/${id}/take` })}
        >{t`Ambil`}</Button>
      )}
      {status === 'in_progress' && own && (
        <>
          <Button
            busy={finish.isPending}
            disabled={results.length === 0}
            onClick={() => finish.mutate({ path: `${boardPath}/${id}/done` })}
          >
            {t`Kirim hasil`}
          </Button>
          <Button
            variant="outline"
            onClick={() => back.mutate({ path: `${boardPath}/${id}/return` })}
          >{t`Kembalikan`}</Button>
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
  const query = useQuery(requestQuery(id))
  const request = query.data
  const title = request?.title ?? t`Permintaan khusus`
  return (
    <AdminPage
      title={title}
      above={
        <Link to={back} className="inline-flex items-center gap-1.5 text-muted pointer-coarse:py-3">
          <ArrowLeft aria-hidden className="size-4" /> {t`Papan`}
        </Link>
      }
      heading={
        <span className="flex flex-wrap items-center gap-3">
          {title}
          {request && <Badge tone={tones[request.status]}>{i18n._(customEditLabels[request.status])}</Badge>}
        </span>
      }
      actions={request && <Actions request={request} />}
    >
      <Loaded query={query}>
        {(loaded) => (
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <div className="grid gap-4">
              <Wish request={loaded} />
              <Contact request={loaded} />
            </div>
            <div className="grid gap-4">
              <Results request={loaded} />
              <Notes request={loaded} />
            </div>
          </div>
        )}
      </Loaded>
    </AdminPage>
  )
}
