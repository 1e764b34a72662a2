import { type ReactNode, useEffect } from 'react'
import { brandName } from '#shared/brand.ts'

export function PageHeader({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className="flex flex-wrap items-end gap-x-6 gap-y-4 pt-6 pb-6 md:pt-12">
      <div className="min-w-0 flex-1">
        <h1 className="text-3xl leading-tight font-extrabold md:text-4xl">{title}</h1>
        {children && <p className="mt-2 max-w-2xl leading-relaxed text-muted md:text-lg">{children}</p>}
      </div>
    </header>
  )
}

export const titleOf = (name: string) => `${name} · ${brandName}`

export function usePageTitle(name: string): void {
  useEffect(() => {
    document.title = titleOf(name)
  }, [name])
}
