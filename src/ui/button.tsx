import type { ComponentProps, ReactNode } from 'react'
import { Link } from 'wouter'

const variants = {
  primary: 'btn-primary',
  soft: 'btn-soft btn-primary',
  plain: 'btn-neutral',
  outline: 'btn-outline border-line',
  ghost: 'btn-ghost',
  danger: 'btn-error',
} as const

export interface Appearance {
  variant?: keyof typeof variants
  size?: 'md' | 'lg'
  icon?: ReactNode
}

export const classOf = ({ variant = 'primary', size = 'md' }: Appearance, className = '') =>
  `btn ${variants[variant]} ${size === 'lg' ? 'btn-lg' : ''} ${className}`

/** A button; `busy` keeps its width, tells screen readers and refuses further presses. */
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
      className={classOf({ variant, size }, className)}
      aria-busy={busy || undefined}
      aria-disabled={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
      {...rest}
    >
      {busy ? <span className="loading loading-sm" aria-hidden /> : icon}
      {children}
    </button>
  )
}

/** A link within the app that looks like a button. */
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
    <Link to={to} state={state} className={classOf({ variant, size }, className)}>
      {icon}
      {children}
    </Link>
  )
}
