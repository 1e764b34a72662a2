import { lazyWithTexts } from '#client/lazy.ts'
import { SkeletonText } from '#ui/skeleton.tsx'

/** The tools, in a menu or a sheet; their marks come when it is opened. */
export const ToolMenu = lazyWithTexts(() => import('./tool-links.tsx'), 'AllToolLinks', <SkeletonText lines={6} />)
