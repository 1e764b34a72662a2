// Chromium interfaces that TypeScript's DOM library lacks.

interface ServiceWorkerRegistration {
  readonly sync?: { register(tag: string): Promise<void> }
}

interface Navigator {
  /** Network Information (WICG). */
  readonly connection?: { readonly saveData?: boolean; readonly effectiveType?: string }
}

interface BeforeInstallPromptEvent extends Event {
  prompt(): Promise<{ outcome: 'accepted' | 'dismissed' }>
}

interface WindowEventMap {
  beforeinstallprompt: BeforeInstallPromptEvent
}

interface Window {
  /** Trusted Types (W3C). */
  readonly trustedTypes?: {
    createPolicy(
      name: string,
      rules: { createScriptURL(url: string): string },
    ): { createScriptURL(url: string): { toString(): string } }
  }
}

interface Window {
  readonly launchQueue?: {
    setConsumer(
      consumer: (launch: { readonly targetURL?: string; readonly files?: readonly FileSystemFileHandle[] }) => void,
    ): void
  }
}

/** Generated from the tools' contracts at build time (src/build/bundle.ts). */
declare module 'virtual:tool-routes' {
  export const toolRoutes: Readonly<Record<string, `/${string}`>>
}

declare module '*.po' {
  import type { Messages } from '@lingui/core'
  export const messages: Messages
}
