/** Made from the tools' contracts when the app is built (src/dev/tool-routes.ts). */
declare module 'virtual:tool-routes' {
  /** The address of each tool's page by the tool's id. */
  export const toolRoutes: Readonly<Record<string, `/${string}`>>
}
