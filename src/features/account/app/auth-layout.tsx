import type { ReactNode } from 'react'
import { KawungPanel } from '#ui/kawung-panel.tsx'

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

const size = { width: 720, height: 480 }

/** A photograph whose right half has lost its background, on a field of kawung flowers. */
function AuthPicture() {
  return (
    <div className="relative hidden min-h-[32rem] place-items-center overflow-hidden rounded-[2rem] bg-soft lg:grid">
      <KawungPanel className="absolute inset-0 size-full text-primary opacity-13" scale={1.27} />
      <div className="relative aspect-[6/5] w-4/5 overflow-hidden rounded-[1.5rem] bg-[#ffd596] shadow-lift">
        <img
          src="/samples/coffee-cutout.avif"
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover object-[38%_50%]"
          {...size}
        />
        <img
          src="/samples/coffee.avif"
          alt=""
          loading="lazy"
          className="absolute inset-0 size-full object-cover object-[38%_50%] [clip-path:inset(0_54%_0_0)]"
          {...size}
        />
      </div>
    </div>
  )
}
