import { useLingui } from '@lingui/react/macro'
import { useQuery } from '@tanstack/react-query'
import { Megaphone, X } from 'lucide-react'
import { useEffect, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { apiJson } from '#client/api.ts'
import { serverNow } from '#client/device/server-time.ts'
import { localKeys, readStoredJson } from '#client/storage.ts'
import { isLocalPath } from '#shared/local-path.ts'
import { IconButton } from '#ui/button.tsx'
import { isShown } from '../rules.ts'
import type { Announcement } from '../schemas.ts'

const maxRemembered = 50

interface StoredAnnouncements {
  items: Announcement[]
  closed: string[]
}

/** Available offline. */
const readStored = (): StoredAnnouncements => ({
  items: [],
  closed: [],
  ...readStoredJson<Partial<StoredAnnouncements>>(localKeys.announcements),
})

function remember(known: Partial<StoredAnnouncements>): void {
  const all = { ...readStored(), ...known }
  try {
    if (all.items.length + all.closed.length === 0) localStorage.removeItem(localKeys.announcements)
    else localStorage.setItem(localKeys.announcements, JSON.stringify(all))
  } catch {
    // Requested or shown again at the next start.
  }
}

async function ask(signal: AbortSignal): Promise<Announcement[]> {
  const { items } = await apiJson<{ items: Announcement[] }>('/api/announcements', { signal })
  remember({ items })
  return items
}

export function Announcements() {
  const { i18n, t } = useLingui()
  const [path] = useLocation()
  // The prerendered document contains none.
  const [started, setStarted] = useState(false)
  useEffect(() => setStarted(true), [])
  const [closed, setClosed] = useState(() => readStored().closed)
  const { data = [] } = useQuery({
    queryKey: ['announcements'],
    queryFn: ({ signal }) => ask(signal),
    enabled: started,
    initialData: () => readStored().items,
    initialDataUpdatedAt: 0,
    staleTime: 5 * 60_000,
    refetchInterval: 15 * 60_000,
  })
  const close = (id: string) => {
    const all = [...closed, id].slice(-maxRemembered)
    setClosed(all)
    remember({ closed: all })
  }
  const shown = data.filter((each) => !closed.includes(each.id) && isShown(each, serverNow()))
  if (!started) return null
  return shown.map(({ id, text, path: to }) => {
    const words = i18n.locale === 'en' ? text.en : text.id
    return (
      <section key={id} aria-label={t({ message: 'Pengumuman', context: 'a single one' })} className="page py-2">
        <div className="card flex-row items-center gap-4 px-4 py-3">
          <Megaphone aria-hidden className="size-5 shrink-0 text-muted" />
          <p className="wrap-anywhere min-w-0 flex-1 text-sm leading-relaxed">
            {isLocalPath(to) && to !== path ? (
              <Link to={to} className="font-semibold text-primary-ink underline underline-offset-2">
                {words}
              </Link>
            ) : (
              words
            )}
          </p>
          <IconButton icon={X} label={t`Tutup pengumuman`} onClick={() => close(id)} />
        </div>
      </section>
    )
  })
}
