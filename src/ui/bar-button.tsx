import type { ComponentProps } from 'react'
import type { Icon } from './button.tsx'

/** In a narrow bar the label is below the icon; large text leaves it to screen readers. */
export function BarButton({
  icon: Icon,
  label,
  ...rest
}: Omit<ComponentProps<'button'>, 'children' | 'className'> & { icon: Icon; label: string }) {
  return (
    <button
      type="button"
      className="btn btn-ghost px-[min(0.75rem,12px)] @max-2xl:flex-col @max-2xl:gap-0 @max-2xl:px-1"
      {...rest}
    >
      <Icon aria-hidden className="size-[min(1.25rem,24px)]" />
      <span className="@max-2xl:text-[0.6875rem] @max-2xl:leading-tight @max-xs:sr-only">{label}</span>
    </button>
  )
}
