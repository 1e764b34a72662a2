import { join } from 'node:path'
import { generations } from '#features/generations/server/generations.ts'
import { createComfyProviders } from '#providers/comfyui/comfyui-providers.ts'
import { createFal } from '#providers/fal/fal.ts'
import { createHostedProvider } from '#providers/hosted/hosted-provider.ts'
import type { HostedService } from '#providers/hosted/service.ts'
import { createOnnxProviders } from '#providers/onnx/onnx-providers.ts'
import type { Provider } from '#providers/provider.ts'
import { createReplicate } from '#providers/replicate/replicate.ts'
import type { Config } from '#server/config.ts'
import type { Database } from '#server/db/database.ts'

/** Own servers come before hosted services. */
export function createProviders(
  { dataDir, modelsDir, engineThreads, publicUrl, loopback, providers: given }: Config,
  { db, clock }: { db: Database; clock: () => Date },
): { providers: Provider[]; close(): Promise<void> } {
  const onnx = createOnnxProviders({ modelsDir, threads: engineThreads })
  const comfyui = createComfyProviders({ servers: given.comfyServers, workflowsDir: join(dataDir, 'workflows') })
  const services: HostedService[] = []
  if (given.fal) services.push(createFal({ ...given.fal, now: clock }))
  if (given.replicate) services.push(createReplicate({ ...given.replicate, now: clock }))
  const hosted = services.map((service) =>
    createHostedProvider(service, {
      now: clock,
      settings: () => generations.readProviderSettings(db, service.id),
      webhookOf: (reference) =>
        loopback ? undefined : new URL(`/api/webhooks/providers/${service.id}/${reference}`, publicUrl).href,
    }),
  )
  return {
    providers: [...comfyui.providers, ...onnx.providers, ...hosted],
    async close() {
      comfyui.close()
      await onnx.close()
    },
  }
}
