/** Texts of the overlays. */
export interface OverlayLabels {
  ok: string
  cancel: string
  close: string
  /** Accessible name of a dialog without a title. */
  choose: string
  previous: string
  next: string
  image: string
  scan: string
  album: string
  noCamera: string
  noCode: string
  map: string
  place: string
  choosePlace: string
  name: string
  address: string
  useThisPlace: string
  myLocation: string
  openMap: string
  noLocation: string
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
    scan: 'Scan a code',
    album: 'Choose an image',
    noCamera: 'The camera is not available.',
    noCode: 'No code was found in the image.',
    map: 'Map',
    place: 'Place',
    choosePlace: 'Choose a place',
    name: 'Name',
    address: 'Address',
    useThisPlace: 'Choose this place',
    myLocation: 'My location',
    openMap: 'Open in OpenStreetMap',
    noLocation: 'Your location is not available.',
  },
  zh: {
    ok: '确定',
    cancel: '取消',
    close: '关闭',
    choose: '请选择',
    previous: '上一张',
    next: '下一张',
    image: '图片',
    scan: '扫码',
    album: '选择图片',
    noCamera: '相机不可用。',
    noCode: '图片中没有找到码。',
    map: '地图',
    place: '位置',
    choosePlace: '选择位置',
    name: '名称',
    address: '地址',
    useThisPlace: '选择此位置',
    myLocation: '我的位置',
    openMap: '在 OpenStreetMap 中打开',
    noLocation: '无法获取您的位置。',
  },
  ar: {
    ok: 'حسنًا',
    cancel: 'إلغاء',
    close: 'إغلاق',
    choose: 'اختر',
    previous: 'السابق',
    next: 'التالي',
    image: 'صورة',
    scan: 'مسح رمز',
    album: 'اختيار صورة',
    noCamera: 'الكاميرا غير متاحة.',
    noCode: 'لم يُعثر على رمز في الصورة.',
    map: 'خريطة',
    place: 'المكان',
    choosePlace: 'اختيار مكان',
    name: 'الاسم',
    address: 'العنوان',
    useThisPlace: 'اختيار هذا المكان',
    myLocation: 'موقعي',
    openMap: 'الفتح في OpenStreetMap',
    noLocation: 'موقعك غير متاح.',
  },
}

/** Returns the labels for a BCP 47 language; English if there is no translation. */
export function overlayLabelsFor(language: string): OverlayLabels {
  return labels[language.slice(0, 2).toLowerCase()] ?? labels.en!
}
