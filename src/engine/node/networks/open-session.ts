import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import type { InferenceSession } from 'onnxruntime-node'

function providersOf(): string[] {
  const binding = join(dirname(createRequire(import.meta.url).resolve('onnxruntime-node')), '..', 'bin', 'napi-v6')
  const cuda = join(binding, process.platform, process.arch, 'libonnxruntime_providers_cuda.so')
  return existsSync(cuda) ? ['cuda', 'cpu'] : ['cpu']
}

/**
 * Networks opened by path do not fully release their memory (onnxruntime#25325). `threads` is for
 * each inference.
 */
export async function openSession(content: Uint8Array, threads: number): Promise<InferenceSession> {
  const { InferenceSession } = await import('onnxruntime-node')
  return InferenceSession.create(content, {
    executionProviders: providersOf(),
    executionMode: 'sequential',
    intraOpNumThreads: threads,
    interOpNumThreads: 1,
    // Release memory after each inference: with the arena IS-Net grew from 1.4 to 2.3 GB.
    enableCpuMemArena: false,
    enableMemPattern: false,
    logSeverityLevel: 3,
    // Idle threads must not spin, because the engine's own threads need the processor.
    extra: { session: { intra_op: { allow_spinning: '0' } } },
  })
}
