/** Generated from the tools' contracts at build time (src/dev/tool-routes.ts). */
declare module 'virtual:tool-routes' {
  /** Address of each tool's page by tool id. */
  export const toolRoutes: Readonly<Record<string, `/${string}`>>
}
