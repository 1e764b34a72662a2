import { lazyWithTexts } from '#client/lazy.ts'
import { SkeletonText } from '#ui/skeleton.tsx'

/** All tools in a menu or sheet; the icons load when it opens. */
export const ToolMenu = lazyWithTexts(() => import('./tool-links.tsx'), 'AllToolLinks', <SkeletonText lines={6} />)
