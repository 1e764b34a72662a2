import { atom, useAtomValue, useSetAtom } from 'jotai'
import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { usePageTitle } from '../page-header.tsx'
import { closeDialog, dialogAtom } from './dialogs.tsx'

export function AdminPage({
  title,
  badge,
  above,
  actions,
  text,
  children,
}: {
  title: string
  badge?: ReactNode
  above?: ReactNode
  actions?: ReactNode
  text?: ReactNode
  children: ReactNode
}) {
  usePageTitle(title)
  const dialog = useAtomValue(dialogAtom)
  useLayoutEffect(() => closeDialog, [])
  return (
    <div className="mx-auto w-full max-w-328 px-4 pt-4 pb-16 lg:px-6 lg:pt-6">
      <header className="mb-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        <div className="grid min-w-[min(10rem,100%)] flex-1 gap-1 max-md:flex-auto">
          {above}
          <h1 className="wrap-anywhere flex flex-wrap items-center gap-3 font-bold text-[1.375rem]">
            {title}
            {badge}
          </h1>
        </div>
        {actions}
      </header>
      {text && <p className="-mt-1 mb-4 max-w-3xl text-muted">{text}</p>}
      {children}
      {dialog}
    </div>
  )
}

export const crumbAtom = atom<string | null>(null)

export function useCrumb(name: string | undefined): void {
  const setCrumb = useSetAtom(crumbAtom)
  useEffect(() => {
    setCrumb(name ?? null)
    return () => setCrumb(null)
  }, [name, setCrumb])
}
