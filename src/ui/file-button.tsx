import type { ComponentProps, ReactNode } from 'react'
import { type Appearance, ButtonMark, buttonClass } from './button.tsx'

/** The input itself is the control, so it works before the app's code has loaded. */
export function FileButton({
  variant,
  size,
  icon,
  className = '',
  children,
  busy = false,
  onFiles,
  ...input
}: Appearance & { className?: string; children: ReactNode; busy?: boolean; onFiles: (files: File[]) => unknown } & Pick<
    ComponentProps<'input'>,
    'accept' | 'capture' | 'multiple' | 'aria-label'
  >) {
  return (
    <label
      aria-busy={busy || undefined}
      className={buttonClass(
        { variant, size },
        `relative has-focus-visible:outline-2 has-focus-visible:outline-offset-2 ${className}`,
      )}
    >
      <ButtonMark icon={icon} busy={busy} />
      {children}
      <input
        type="file"
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])]
          target.value = ''
          if (files.length > 0) onFiles(files)
        }}
        disabled={busy}
        {...input}
      />
    </label>
  )
}
