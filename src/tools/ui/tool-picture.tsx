import type { ToolMark } from '#tools/ui/page.ts'
import type { ToolEntry } from './page.ts'

/** Shows the icon where there is no picture or it failed to load. */
export function ToolPicture({
  tool: { id, icon, showcase },
  lazy = false,
  className = '',
}: {
  tool: Pick<ToolEntry, 'id' | 'icon' | 'showcase'>
  /** Loads when it is about to become visible. */
  lazy?: boolean
  className?: string
}) {
  return (
    <span
      className={`tool-picture relative block aspect-4/3 overflow-hidden bg-soft [&>img[data-before]]:[clip-path:polygon(0_0,54%_0,46%_100%,0_100%)] [&>img]:absolute [&>img]:inset-0 [&>img]:size-full [&>img]:object-cover ${className}`}
    >
      <span className="absolute inset-0 grid place-items-center text-on-soft has-[~img:not([data-broken])]:invisible">
        <ToolIcon mark={icon} className="size-2/5" />
      </span>
      {showcase && <Side of={id} side="after" lazy={lazy} />}
      {showcase === 'pair' && <Side of={id} side="before" lazy={lazy} />}
    </span>
  )
}

function Side({ of: tool, side, lazy }: { of: string; side: 'before' | 'after'; lazy: boolean }) {
  return (
    <img
      src={`/samples/tools/${tool}-${side}.avif`}
      alt=""
      width={480}
      height={360}
      loading={lazy ? 'lazy' : undefined}
      // Decoded with the words around it, not a frame later.
      decoding={lazy ? undefined : 'sync'}
      fetchPriority={lazy ? undefined : 'high'}
      data-before={side === 'before' || undefined}
    />
  )
}

export function ToolIcon({ mark, className = 'size-8' }: { mark: ToolMark; className?: string }) {
  return (
    <svg viewBox="0 0 48 48" className={className} aria-hidden="true">
      <g fill="var(--color-primary)">{mark.fill}</g>
      <g fill="none" stroke="currentColor" strokeWidth="2.6" strokeLinecap="round" strokeLinejoin="round">
        {mark.line}
      </g>
    </svg>
  )
}
