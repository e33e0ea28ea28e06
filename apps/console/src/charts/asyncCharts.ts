import { defineAsyncComponent } from 'vue'
import ChartSkeleton from './ChartSkeleton.vue'

/** Charts in their own chunk. A skeleton of the same height is shown immediately, so that the page does not move. */
const shownAtOnce = { loadingComponent: ChartSkeleton, delay: 0 }

export const MoneyChart = defineAsyncComponent({ loader: () => import('./MoneyChart.vue'), ...shownAtOnce })
export const SeriesChart = defineAsyncComponent({ loader: () => import('./SeriesChart.vue'), ...shownAtOnce })
export const TradesChart = defineAsyncComponent({ loader: () => import('./TradesChart.vue'), ...shownAtOnce })
