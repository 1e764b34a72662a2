import { onlineAtom } from '#client/connection.ts'
import { store } from '#client/session.ts'
import { onSignOut } from '#client/sign-out.ts'
import { trustScript } from '#client/trusted-script.ts'
import { previewLongSide } from '#contract/media.ts'
import { isInstalled } from '#features/installed-app/app/installed-app.ts'
import { isEngineKept } from '#sw/engine-files.ts'
import type { DevicePicture, PreviewTask } from '#tools/browser/messages.ts'
import { createWorkerLane } from '#tools/browser/worker-lane.ts'
import type { AnyToolPage } from '#tools/ui/page.ts'
import workerUrl from '../../../../tools/engine-worker.ts?worker&url'

const lane = createWorkerLane(
  () => new Worker(trustScript('rupa-engine', workerUrl), { type: 'module', name: 'engine' }),
)
onSignOut('device engine', () => lane.end())

/** The smallest module with a vector instruction, after GoogleChromeLabs' wasm-feature-detect. */
const vectors = [
  ...[0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0],
  ...[10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11],
]

/**
 * Whether this browser can run the engine in a worker: WebAssembly with vector instructions (SIMD),
 * and pictures in workers.
 */
function canRunEngine(): boolean {
  try {
    return (
      typeof Worker === 'function' &&
      typeof OffscreenCanvas === 'function' &&
      typeof createImageBitmap === 'function' &&
      WebAssembly.validate(new Uint8Array(vectors))
    )
  } catch {
    return false
  }
}

/**
 * Whether half a megabyte more may be loaded: not for who saves data, nor on the slowest
 * connections.
 */
function connectionAllows(): boolean {
  if (!store.get(onlineAtom)) return false
  const { saveData = false, effectiveType = '4g' } = navigator.connection ?? {}
  return !saveData && !effectiveType.endsWith('2g')
}

/**
 * What a run would make, small, computed on this device. Undefined where the device cannot do it,
 * or may not load what it needs for it: then there is only the server's way.
 */
export async function previewOnDevice(task: PreviewTask): Promise<DevicePicture | undefined> {
  if (!canRunEngine()) return undefined
  if (!connectionAllows() && !(await isEngineKept())) return undefined
  return lane.run(task)
}

/**
 * Has the engine ready for a picture that is being chosen, or may be soon. Not everybody who may
 * choose one pays for loading it: only who has the app installed, to have it without a network as
 * well.
 */
export async function warmEngine(
  { id: tool, inputs, defaults: params }: AnyToolPage['definition'],
  choosing: boolean,
): Promise<void> {
  if (!canRunEngine()) return
  const mayLoad = (choosing || isInstalled()) && connectionAllows()
  if (!mayLoad && !(await isEngineKept())) return
  const empty = Object.entries(inputs).map(([name, { min }]) => [name, Array<Blob>(min).fill(new Blob())])
  lane.warm({ tool, params, inputs: Object.fromEntries(empty), side: previewLongSide, key: '' })
}
