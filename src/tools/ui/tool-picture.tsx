import './tool-picture.css'
import type { ToolEntry } from './tool-entry.ts'
import { ToolIcon } from './tool-icon.tsx'

/**
 * What a tool makes, beside the photograph that it was made from; its mark where there is no
 * picture of that, or it did not come.
 */
export function ToolPicture({
  tool: { id, icon, showcase },
  lazy = false,
  className = '',
}: {
  tool: Pick<ToolEntry, 'id' | 'icon' | 'showcase'>
  /** It may come when it is about to be seen. */
  lazy?: boolean
  className?: string
}) {
  return (
    <span className={`tool-picture block ${className}`}>
      <span className="absolute inset-0 grid place-items-center text-on-soft">
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
      src={`/samples/tools/${tool}-${side}.webp`}
      alt=""
      width={480}
      height={360}
      loading={lazy ? 'lazy' : undefined}
      data-before={side === 'before' || undefined}
    />
  )
}
