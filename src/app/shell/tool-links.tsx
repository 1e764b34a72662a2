import { useLingui } from '@lingui/react/macro'
import { Info } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { pageDetails } from '#shared/pages.ts'
import { publicToolEntries } from '#tools/tool-list.ts'
import { ToolIcon } from '#tools/ui/tool-picture.tsx'

function Entry({ to, icon, name, text }: { to: string; icon: ReactNode; name: string; text: string }) {
  return (
    <Link
      to={to}
      className="flex min-h-14 items-center gap-3 rounded-field px-3 py-2 transition-colors hover:bg-base-200"
    >
      {icon}
      <span className="grid min-w-0">
        <span className="font-semibold">{name}</span>
        <span className="text-sm text-muted on-side:hidden">{text}</span>
      </span>
    </Link>
  )
}

export function AllToolLinks() {
  const { t, i18n } = useLingui()
  return (
    // Two columns on a phone on its side, also in large text. Every page would load a class.
    <ul
      className="grid gap-0.5"
      style={{ gridTemplateColumns: 'repeat(auto-fill, minmax(min(18rem, 100%, max(340px, 40%)), 1fr))' }}
    >
      {publicToolEntries.map((tool) => (
        <li key={tool.id}>
          <Entry
            to={tool.route}
            icon={<ToolIcon mark={tool.icon} className="size-8 shrink-0" />}
            name={i18n._(tool.name)}
            text={i18n._(tool.tagline)}
          />
        </li>
      ))}
      {/* On wide screens the header has this page. */}
      <li className="mt-1 border-line border-t pt-1 md:hidden">
        <Entry
          to="/how-to-use"
          icon={<Info aria-hidden className="m-1 size-6 shrink-0" />}
          name={i18n._(pageDetails('/how-to-use').name)}
          text={t`Langkah, tips, dan pertanyaan umum`}
        />
      </li>
    </ul>
  )
}
