import { navigate } from 'wouter/use-browser-location'

/**
 * The manifest asks to bring the open app forward instead of loading it anew, so that a shortcut never throws away what lies on the table.
 * The browser then only tells where the launch wanted to go.
 */
export function followLaunches(): void {
  window.launchQueue?.setConsumer(({ targetURL }) => {
    if (!targetURL) return
    const target = new URL(targetURL)
    const wanted = target.pathname + target.search
    // A launch of the app itself only brings it forward.
    if (target.origin !== location.origin || wanted === '/' || wanted === location.pathname + location.search) return
    navigate(wanted)
  })
}
