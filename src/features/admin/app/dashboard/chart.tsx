import 'uplot/dist/uPlot.min.css'
import { useAtomValue } from 'jotai'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import uPlot from 'uplot'
import { themeAtom } from '#client/theme.ts'

export interface Series {
  name: string
  values: number[]
  /** Custom property with its colour. */
  color: string
  kind: 'bars' | 'line'
  /** Daily values do not add up: a user active on two days counts once. */
  distinct?: true
}

const height = 190

function optionsOf(
  width: number,
  labels: string[],
  series: Series[],
  format: (value: number) => string,
): uPlot.Options {
  const style = getComputedStyle(document.documentElement)
  const colorOf = (name: string) => style.getPropertyValue(name).trim()
  const font = `500 11px ${style.fontFamily}`
  const axis = { stroke: colorOf('--color-muted'), font, ticks: { show: false } }
  const grid = { stroke: colorOf('--color-base-300'), width: 1 }
  const bars = uPlot.paths.bars?.({ size: [0.64, 28], radius: 0.25 })
  return {
    width,
    height,
    legend: { show: false },
    scales: { x: { time: false, range: [-0.6, labels.length - 0.4] }, y: { range: [0, null] as never } },
    cursor: { y: false, points: { size: 7 }, drag: { x: false, y: false } },
    axes: [
      {
        ...axis,
        size: 30,
        grid: { show: false },
        space: 64,
        incrs: [1, 2, 3, 5, 7, 10, 14, 30],
        values: (_, at) => at.map((x) => labels[x] ?? ''),
      },
      { ...axis, grid, size: 62, values: (_, at) => at.map((value) => format(value)) },
    ],
    series: [
      {},
      ...series.map(({ color, kind }): uPlot.Series => {
        const stroke = colorOf(color)
        return kind === 'bars' && bars
          ? { stroke, fill: stroke, width: 0, paths: bars, points: { show: false } }
          : { stroke, width: 2, points: { show: false } }
      }),
    ],
  }
}

/** The text above the chart shows the value under the pointer, or of the whole period. */
export function Chart({
  title,
  labels,
  series,
  format,
  axisFormat = format,
}: {
  title: string
  labels: string[]
  series: Series[]
  format: (value: number) => string
  axisFormat?: (value: number) => string
}) {
  const container = useRef<HTMLDivElement>(null)
  const theme = useAtomValue(themeAtom)
  const [pointed, setPointed] = useState<number | null>(null)
  const tick = useEffectEvent(axisFormat)
  // biome-ignore lint/correctness/useExhaustiveDependencies: colours are read anew when the theme changes
  useEffect(() => {
    const element = container.current
    if (!element) return
    const options = optionsOf(element.clientWidth, labels, series, (value) => tick(value))
    const hooks = { setCursor: [({ cursor }: uPlot) => setPointed(cursor.idx ?? null)] }
    const data = [labels.map((_, index) => index), ...series.map(({ values }) => values)] as uPlot.AlignedData
    const plot = new uPlot({ ...options, hooks }, data, element)
    const observer = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }))
    observer.observe(element)
    return () => {
      observer.disconnect()
      plot.destroy()
    }
  }, [labels, series, theme])
  const figureOf = (values: number[]) =>
    pointed === null ? values.reduce((sum, value) => sum + value, 0) : (values[pointed] ?? 0)
  return (
    <figure className="card min-w-0 overflow-hidden shadow-xs">
      <figcaption className="flex flex-wrap items-baseline gap-x-4 gap-y-1 px-4 pt-3">
        <h2 className="flex-1 font-bold text-[0.9375rem] max-md:basis-full">{title}</h2>
        {pointed !== null && <span className="text-muted text-xs">{labels[pointed]}</span>}
        {series.map(({ name, values, color, distinct }) => (
          <span
            key={name}
            className="inline-flex flex-wrap items-center gap-x-1.5 font-semibold text-[0.8125rem] tabular-nums"
          >
            <span aria-hidden className="size-2 rounded-full" style={{ backgroundColor: `var(${color})` }} />
            <span className="text-muted">{name}</span> {(pointed !== null || !distinct) && format(figureOf(values))}
          </span>
        ))}
      </figcaption>
      <div ref={container} aria-hidden className="px-1 pt-2 pb-1" />
      <div className="sr-only">
        <table>
          <caption>{title}</caption>
          <thead>
            <tr>
              <td />
              {series.map(({ name }) => (
                <th key={name} scope="col">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {labels.map((label, index) => (
              <tr key={label}>
                <th scope="row">{label}</th>
                {series.map(({ name, values }) => (
                  <td key={name}>{format(values[index] ?? 0)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
