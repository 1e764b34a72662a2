import { useLingui } from '@lingui/react/macro'
import { atom, useAtomValue, useSetAtom } from 'jotai'
import { useEffect } from 'react'
import { Link, useLocation } from 'wouter'
import { pages } from '#contract/pages.ts'
import { placeOf } from './nav.ts'

const detailAtom = atom<string | null>(null)

/** Names what a detail page shows, as the last of the breadcrumbs. */
export function useCrumb(name: string | undefined): void {
  const setDetail = useSetAtom(detailAtom)
  useEffect(() => {
    setDetail(name ?? null)
    return () => setDetail(null)
  }, [name, setDetail])
}

/** Where one is, and the way back up. */
export function Crumbs() {
  const { i18n, t } = useLingui()
  const [path] = useLocation()
  const detail = useAtomValue(detailAtom)
  const place = placeOf(path)
  const trail: { to: string; name: string }[] = [{ to: '/admin/dashboard', name: t`Admin` }]
  if (place) trail.push({ to: place.path, name: i18n._(place.name) })
  if (path === '/admin/users/me') trail.push({ to: path, name: i18n._(pages['/admin/users/me'].name) })
  else if (place && path !== place.path) trail.push({ to: path, name: detail ?? '…' })
  return (
    <nav aria-label={t`Jejak navigasi`} className="breadcrumbs min-w-0 flex-1 py-0">
      <ol className="text-muted">
        {trail.map(({ to, name }, index) => (
          <li key={to} className={index === 0 ? 'max-sm:hidden' : index === 1 ? 'max-sm:before:hidden!' : 'min-w-0'}>
            {index === trail.length - 1 ? (
              <span
                aria-current="page"
                className="block! cursor-default! truncate font-semibold text-base-content no-underline!"
              >
                {name}
              </span>
            ) : (
              <Link to={to}>{name}</Link>
            )}
          </li>
        ))}
      </ol>
    </nav>
  )
}
