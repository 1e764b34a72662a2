/** Generated from the tools' contracts at build time (src/build/tool-routes.ts). */
declare module 'virtual:tool-routes' {
  export const toolRoutes: Readonly<Record<string, `/${string}`>>
}

declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}
