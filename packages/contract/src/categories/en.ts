/** Names of the categories of mini apps. */
export default {
  food: 'Food and drink',
  shopping: 'Shopping',
  travel: 'Travel',
  finance: 'Finance',
  health: 'Health',
  education: 'Education',
  entertainment: 'Entertainment',
  lifestyle: 'Lifestyle',
  business: 'Business',
  government: 'Government',
  tools: 'Tools',
}
