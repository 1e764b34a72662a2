import { lazy, Suspense } from 'react'
import { loadPageTexts } from '#client/i18n.ts'
import { SkeletonText } from '#ui/skeleton.tsx'

const AllToolLinks = lazy(async () => {
  const [links] = await Promise.all([import('./tool-links.tsx'), loadPageTexts()])
  return { default: links.AllToolLinks }
})

/** The tools, in a menu or a sheet; their marks come when it is opened. */
export function ToolMenu({ columns = '' }: { columns?: string }) {
  return (
    <Suspense fallback={<SkeletonText lines={6} />}>
      <AllToolLinks columns={columns} />
    </Suspense>
  )
}
