import './first-screen/hero.css'
import { useLingui } from '@lingui/react/macro'
import { useAtomValue } from 'jotai'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { userAtom } from '#client/session.ts'
import { publicToolEntries } from '#tools/tool-list.ts'
import { ToolIcon } from '#tools/ui/tool-picture.tsx'
import { DropZone } from './first-screen/hero.tsx'
import { inLastRow } from './last-row.ts'

export function MemberHome({ children }: { children: ReactNode }) {
  const { t, i18n } = useLingui()
  const user = useAtomValue(userAtom)
  const [name = ''] = (user?.name ?? '').split(' ')
  return (
    <div className="page grid grid-cols-1 gap-9 pt-5 pb-16 md:pt-10">
      <div className="grid grid-cols-1 items-center gap-x-10 gap-y-6 lg:grid-cols-2">
        <h1 className="wrap-anywhere font-extrabold text-3xl md:text-4xl">{t`Halo, ${name}. Foto apa hari ini?`}</h1>
        <div className="grid min-w-0 grid-cols-1 gap-9 empty:hidden lg:order-1 lg:col-span-2 lg:mt-3">{children}</div>
        <DropZone />
      </div>
      <section aria-labelledby="tools">
        <h2 id="tools" className="mb-3 font-bold text-xl">{t`Alat`}</h2>
        <ul className="grid grid-cols-[repeat(auto-fill,minmax(min(9.5rem,100%),1fr))] gap-3">
          {publicToolEntries.map((tool) => (
            <li key={tool.id} style={inLastRow(tool)}>
              <Link
                to={tool.route}
                className={`card h-full gap-2 p-4 transition-shadow hover:shadow-lift ${inLastRow(tool) ? 'flex-row items-center' : 'min-h-20'}`}
              >
                <ToolIcon mark={tool.icon} className="size-9" />
                <span className="font-semibold leading-snug">{i18n._(tool.name)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </section>
    </div>
  )
}
