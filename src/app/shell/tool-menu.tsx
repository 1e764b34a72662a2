import { lazyWithTexts } from '#client/lazy.ts'
import { SkeletonText } from '#ui/skeleton.tsx'

export const ToolMenu = lazyWithTexts(() => import('./tool-links.tsx'), 'AllToolLinks', <SkeletonText lines={6} />)
