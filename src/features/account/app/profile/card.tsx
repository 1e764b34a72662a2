import type { ComponentProps, ReactNode } from 'react'
import { Button } from '#ui/button.tsx'

export function Card({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="card grid grid-cols-1 content-start gap-5 p-6">
      <h2 className="font-bold text-[min(1.25rem,7vw)]">{title}</h2>
      {children}
    </section>
  )
}

export function Row({
  name,
  button,
  children,
}: {
  name: ReactNode
  button?: ComponentProps<typeof Button> | false | undefined
  children?: ReactNode
}) {
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-1 sm:grid sm:grid-cols-[minmax(0,1fr)_auto]">
      <p className={`min-w-24 flex-1 font-semibold ${children ? 'sm:self-end' : ''}`}>{name}</p>
      <div className={children ? 'sm:row-span-2' : ''}>{button && <Button variant="outline" {...button} />}</div>
      {children && <p className="w-full text-muted text-sm leading-relaxed sm:self-start">{children}</p>}
    </div>
  )
}
