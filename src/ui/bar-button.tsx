import type { ComponentProps } from 'react'
import type { Icon } from './button.tsx'

/** In a narrow bar its label is for screen readers only. */
export function BarButton({
  icon: Icon,
  label,
  ...rest
}: Omit<ComponentProps<'button'>, 'children' | 'className'> & { icon: Icon; label: string }) {
  return (
    <button type="button" className="btn btn-ghost px-[min(0.75rem,12px)]" {...rest}>
      <Icon aria-hidden className="size-[min(1.25rem,24px)]" />
      <span className="@max-2xl:sr-only">{label}</span>
    </button>
  )
}
