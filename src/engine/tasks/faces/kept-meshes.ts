import type { MeshPoints } from '#engine/host.ts'

interface Size {
  width: number
  height: number
}

/**
 * Meshes as they are kept with a run: rows of x and y by turns, in shares of the picture they were
 * found in.
 */
export function keepMeshes(meshes: readonly MeshPoints[], { width, height }: Size): number[][] {
  return meshes.map((points) => points.flatMap(([x, y]) => [share(x / width), share(y / height)]))
}

/** Kept meshes in the pixels of a picture; depths are lost. */
export function keptMeshes(rows: readonly (readonly number[])[], { width, height }: Size): MeshPoints[] {
  return rows.map((row) =>
    Array.from(
      { length: row.length / 2 },
      (_, i) => [(row[2 * i] as number) * width, (row[2 * i + 1] as number) * height, 0] as const,
    ),
  )
}

const share = (value: number) => Math.round(value * 10_000) / 10_000
