/** Screens that bring a frame of their own. */
export function isAdminScreen(path: string): boolean {
  return path.startsWith('/admin/')
}

/** Screens that show nothing but themselves. */
export function isAuthScreen(path: string): boolean {
  return /^\/(login|register|forgot-password|reset-password|keep-factors|logout|auth)(\/|$)/.test(path)
}

/**
 * Where somebody pays: nothing leads away but the header, and the pay button is at the bottom
 * instead of the dock.
 */
export const isCheckout = (path: string): boolean => path === '/checkout'
