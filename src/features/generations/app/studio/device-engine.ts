import { isConnectionFast, onlineAtom } from '#client/connection.ts'
import { isEngineCached, measuredSpeed } from '#client/device/engine-files.ts'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import { trustScript } from '#client/trusted-script.ts'
import { isInstalled } from '#features/installed-app/app/installed-app.ts'
import { previewLongSide } from '#shared/media.ts'
import { createWorkerLane, type DevicePicture, type PreviewTask } from '#tools/browser/worker-lane.ts'
import workerUrl from '#tools/engine-worker.ts?worker&url'
import type { AnyToolPage } from '#tools/ui/page.ts'

const lane = createWorkerLane(
  () => new Worker(trustScript('rupa-engine', workerUrl), { type: 'module', name: 'engine' }),
)
onSignOut('device engine', () => lane.end())

/** Smallest module with a vector instruction, after GoogleChromeLabs' wasm-feature-detect. */
const simdModule = [
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
]

/** Needs WebAssembly SIMD, and pictures in workers. */
function canRunEngine(): boolean {
  try {
    return (
      typeof Worker === 'function' &&
      typeof OffscreenCanvas === 'function' &&
      typeof createImageBitmap === 'function' &&
      WebAssembly.validate(new Uint8Array(simdModule))
    )
  } catch {
    return false
  }
}

/** Bytes per second, with which the salience network takes 15 seconds. */
const leastSpeed = 150_000

/**
 * Half a megabyte more is not loaded with data saving, nor on the slowest connections; the salience
 * network of two megabytes only on fast ones.
 */
function connectionAllows(part: 'engine' | 'network'): boolean {
  if (!store.get(onlineAtom)) return false
  if (part === 'engine') {
    const { saveData = false, effectiveType = '4g' } = navigator.connection ?? {}
    return !saveData && !effectiveType.endsWith('2g')
  }
  const speed = measuredSpeed(performance.getEntriesByType('resource') as PerformanceResourceTiming[])
  return isConnectionFast() && (speed === undefined || speed >= leastSpeed)
}

/** Undefined where the device cannot compute it, or may not load the engine. */
export async function previewOnDevice(task: PreviewTask): Promise<DevicePicture | undefined> {
  if (!canRunEngine()) return undefined
  if (!connectionAllows('engine') && !(await isEngineCached())) return undefined
  return lane.run(task, connectionAllows('network'))
}

/**
 * Only installed apps load the engine in advance, to work offline; other visitors do not pay for
 * it.
 */
export async function warmEngine(
  { id: tool, inputs, defaults: params }: AnyToolPage['definition'],
  choosing: boolean,
): Promise<void> {
  if (!canRunEngine()) return
  const mayLoad = (choosing || isInstalled()) && connectionAllows('engine')
  if (!mayLoad && !(await isEngineCached())) return
  const empty = Object.entries(inputs).map(([name, { min }]) => [name, Array<Blob>(min).fill(new Blob())])
  const task = { tool, params, inputs: Object.fromEntries(empty), names: {}, side: previewLongSide, key: '' }
  lane.warm(task, mayLoad && connectionAllows('network'))
}
