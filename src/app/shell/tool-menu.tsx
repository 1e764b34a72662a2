import { Suspense } from 'react'
import { lazyWithTexts } from '#client/lazy.ts'
import { SkeletonText } from '#ui/skeleton.tsx'

const AllToolLinks = lazyWithTexts(() => import('./tool-links.tsx'), 'AllToolLinks')

/** The tools, in a menu or a sheet; their marks come when it is opened. */
export function ToolMenu({ columns = '' }: { columns?: string }) {
  return (
    <Suspense fallback={<SkeletonText lines={6} />}>
      <AllToolLinks columns={columns} />
    </Suspense>
  )
}
