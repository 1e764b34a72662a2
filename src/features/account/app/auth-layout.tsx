import type { ReactNode } from 'react'
import { AuthPicture } from './auth-picture.tsx'

/** Picture and form side by side; on phones the form alone. */
export function AuthLayout({ title, lead, children }: { title: string; lead?: string; children: ReactNode }) {
  return (
    <div className="page grid grid-cols-1 items-center gap-12 pt-4 pb-16 md:pt-8 lg:grid-cols-2 lg:gap-20" lang="id">
      <AuthPicture />
      <div className="mx-auto w-full max-w-md">
        <h1 className="text-3xl font-extrabold">{title}</h1>
        {lead && <p className="mt-2 text-muted leading-relaxed">{lead}</p>}
        <div className="mt-7">{children}</div>
      </div>
    </div>
  )
}
