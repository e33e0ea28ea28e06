/** What overlays say themselves. */
export interface OverlayLabels {
  ok: string
  cancel: string
  close: string
  /** Names a dialog without a title. */
  choose: string
  previous: string
  next: string
  image: string
}

const labels: Record<string, OverlayLabels> = {
  en: {
    ok: 'OK',
    cancel: 'Cancel',
    close: 'Close',
    choose: 'Choose',
    previous: 'Previous',
    next: 'Next',
    image: 'Image',
  },
  zh: {
    ok: '确定',
    cancel: '取消',
    close: '关闭',
    choose: '请选择',
    previous: '上一张',
    next: '下一张',
    image: '图片',
  },
  ar: {
    ok: 'حسنًا',
    cancel: 'إلغاء',
    close: 'إغلاق',
    choose: 'اختر',
    previous: 'السابق',
    next: 'التالي',
    image: 'صورة',
  },
}

/** The words of a language (BCP 47); English where there are none. */
export function overlayLabelsFor(language: string): OverlayLabels {
  return labels[language.slice(0, 2).toLowerCase()] ?? labels.en!
}
