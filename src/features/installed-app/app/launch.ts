import { navigate } from 'wouter/use-browser-location'
import { isLocalPath } from '#contract/local-path.ts'

type OnFiles = (files: File[]) => Promise<void>

/**
 * The manifest asks to bring the open app forward instead of loading it anew, so that a shortcut
 * never throws away the studio's state. The browser then only tells where the launch wanted to go,
 * and which files it was to open; `onFiles` takes these.
 */
export function followLaunches(onFiles: OnFiles): void {
  window.launchQueue?.setConsumer(({ targetURL, files = [] }) => {
    if (!targetURL) return
    if (new URL(targetURL).origin === location.origin && files.length > 0) void openFiles(files, onFiles)
    openAddress(targetURL)
  })
}

/** Goes to one of our own addresses without loading the page anew. */
export function openAddress(address: string): void {
  const target = new URL(address)
  if (target.origin !== location.origin) return
  const wanted = target.pathname + target.search
  if (!isLocalPath(wanted)) return
  // A launch of the app itself only brings it forward.
  if (wanted === '/' || wanted === location.pathname + location.search) return
  navigate(wanted)
}

async function openFiles(handles: readonly FileSystemFileHandle[], onFiles: OnFiles): Promise<void> {
  // One that was moved or deleted meanwhile must not keep the others away.
  const opened = await Promise.allSettled(handles.map((handle) => handle.getFile()))
  const files = opened.flatMap((file) => (file.status === 'fulfilled' ? [file.value] : []))
  if (files.length > 0) await onFiles(files)
}
