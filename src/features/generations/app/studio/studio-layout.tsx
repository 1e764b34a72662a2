import type { ReactNode } from 'react'

/** A picture and what can be done with it: below each other on phones, side by side elsewhere. */
export function StudioLayout({
  heading,
  actions,
  stage,
  notes,
  children,
}: {
  heading: ReactNode
  actions?: ReactNode
  stage: ReactNode
  /** What should be known before looking. */
  notes?: ReactNode
  /** Options and the one button. */
  children: ReactNode
}) {
  return (
    <div className="studio-layout pt-2 md:pt-8">
      <div className="studio-layout-main">
        <div className="flex min-h-11 items-center gap-2">
          <h1 className="line-clamp-2 min-w-0 flex-1 text-lg leading-tight font-extrabold min-[25rem]:text-xl md:text-3xl">
            {heading}
          </h1>
          {actions}
        </div>
        {notes}
        {stage}
      </div>
      <div className="studio-layout-sheet flex flex-col gap-3 lg:gap-6">{children}</div>
    </div>
  )
}
