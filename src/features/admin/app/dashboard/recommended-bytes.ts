import type { ModelView } from '#features/generations/schemas.ts'

type Model = Pick<ModelView, 'recommended' | 'installed' | 'progress' | 'size'>

/** 0 once any model is installed or being downloaded. */
export function recommendedBytes(models: readonly Model[]): number {
  if (models.some(({ installed, progress }) => installed || progress !== null)) return 0
  return models.reduce((sum, { recommended, size }) => sum + (recommended ? (size ?? 0) : 0), 0)
}
