import { navigate } from 'wouter/use-browser-location'
import { isLocalPath } from '#shared/local-path.ts'

type OnFiles = (files: File[]) => Promise<void>

/**
 * The manifest focuses an open window, so that a shortcut never discards the studio's state; the
 * browser only reports the launch's target and files.
 */
export function followLaunches(onFiles: OnFiles): void {
  window.launchQueue?.setConsumer(({ targetURL, files = [] }) => {
    if (!targetURL) return
    if (new URL(targetURL).origin === location.origin && files.length > 0) void openFiles(files, onFiles)
    openAddress(targetURL)
  })
}

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
  // A moved or deleted file must not block the others.
  const opened = await Promise.allSettled(handles.map((handle) => handle.getFile()))
  const files = opened.flatMap((file) => (file.status === 'fulfilled' ? [file.value] : []))
  if (files.length > 0) await onFiles(files)
}
