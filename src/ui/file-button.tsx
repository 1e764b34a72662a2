import type { ComponentProps, ReactNode } from 'react'
import { type Appearance, classOf } from './button.tsx'

/**
 * A button that asks for files. What opens the picker is the input itself, so that it does so even
 * before the app's code has come.
 */
export function FileButton({
  variant,
  size,
  icon,
  className = '',
  children,
  onFiles,
  ...input
}: Appearance & { className?: string; children: ReactNode; onFiles: (files: File[]) => void } & Pick<
    ComponentProps<'input'>,
    'accept' | 'capture' | 'multiple'
  >) {
  return (
    <label
      className={classOf(
        { variant, size },
        `relative has-focus-visible:outline-2 has-focus-visible:outline-offset-2 ${className}`,
      )}
    >
      {icon}
      {children}
      <input
        type="file"
        className="absolute inset-0 cursor-pointer opacity-0"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])])
          target.value = ''
        }}
        {...input}
      />
    </label>
  )
}
