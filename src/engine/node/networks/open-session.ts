import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { InferenceSession } from 'onnxruntime-node'

/** Graphics processors, where the runtime's part for them is present, and the processor. */
function providersOf(): string[] {
  const binding = join(dirname(createRequire(import.meta.url).resolve('onnxruntime-node')), '..', 'bin', 'napi-v6')
  const cuda = join(binding, process.platform, process.arch, 'libonnxruntime_providers_cuda.so')
  return existsSync(cuda) ? ['cuda', 'cpu'] : ['cpu']
}

/**
 * Opens a network in ONNX's format, from memory: what is opened by its path is not given back whole
 * (onnxruntime#25325). `threads` are those of one run.
 */
export async function openSession(content: Uint8Array, threads: number): Promise<InferenceSession> {
  const { InferenceSession } = await import('onnxruntime-node')
  return InferenceSession.create(content, {
    executionProviders: providersOf(),
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Memory goes back after each layer and run: with the arena IS-Net grew from 1.4 to 2.3 GB.
    enableCpuMemArena: false,
    enableMemPattern: false,
    logSeverityLevel: 3,
    // Idle threads do not spin: the engine's own need the processor.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
}
