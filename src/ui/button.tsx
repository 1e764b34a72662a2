import type { ComponentProps, ComponentType, ReactNode } from 'react'
import { Link } from 'wouter'

const variants = {
  primary: 'btn-primary',
  soft: 'btn-soft btn-primary',
  plain: 'btn-neutral',
  outline: 'btn-outline border-line',
  ghost: 'btn-ghost',
  danger: 'btn-error',
} as const

export type Icon = ComponentType<{ className?: string; 'aria-hidden'?: boolean }>

export interface Appearance {
  variant?: keyof typeof variants
  size?: 'md' | 'lg'
  icon?: Icon
}

export const buttonClass = ({ variant = 'primary', size = 'md' }: Appearance, className = '') =>
  `btn ${variants[variant]} ${size === 'lg' ? 'btn-lg' : ''} ${className}`

export function ButtonMark({ icon: Icon, busy = false }: { icon?: Icon | undefined; busy?: boolean }) {
  if (busy) return <span className="loading loading-sm" aria-hidden />
  return Icon && <Icon aria-hidden className="size-5 shrink-0" />
}

/** `busy` keeps its width, is announced to screen readers and blocks further presses. */
export function Button({
  variant,
  size,
  icon,
  busy = false,
  className,
  children,
  type = 'button',
  onClick,
  ...rest
}: ComponentProps<'button'> & Appearance & { busy?: boolean }) {
  return (
    <button
      type={type}
      className={buttonClass({ variant, size }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      <ButtonMark icon={icon} busy={busy} />
      {children}
    </button>
  )
}

export function IconButton({
  icon: Icon,
  label,
  className = '',
  ...rest
}: Omit<ComponentProps<'button'>, 'children'> & { icon: Icon; label: string }) {
  return (
    <button type="button" className={`btn btn-ghost btn-square ${className}`} aria-label={label} {...rest}>
      <Icon aria-hidden className="size-5" />
    </button>
  )
}

export function LinkButton({
  variant,
  size,
  icon,
  className,
  to,
  state,
  children,
}: Appearance & { className?: string; to: string; state?: unknown; children: ReactNode }) {
  return (
    <Link to={to} state={state} className={buttonClass({ variant, size }, className)}>
      <ButtonMark icon={icon} />
      {children}
    </Link>
  )
}

/** In a narrow bar the label is below the icon; large text leaves it to screen readers. */
export function BarButton({
  icon: Icon,
  label,
  ...rest
}: Omit<ComponentProps<'button'>, 'children' | 'className'> & { icon: Icon; label: string }) {
  return (
    <button
      type="button"
      className="btn btn-ghost px-[min(0.75rem,12px)] @max-2xl:flex-col @max-2xl:gap-0 @max-2xl:px-1 @max-[22.5rem]:py-0"
      {...rest}
    >
      <Icon aria-hidden className="size-[min(1.25rem,24px)]" />
      <span className="@max-2xl:text-[0.6875rem] @max-2xl:leading-tight @max-[22.5rem]:w-min @max-[22.5rem]:whitespace-normal @max-[22.5rem]:leading-none @max-xs:sr-only">
        {label}
      </span>
    </button>
  )
}
