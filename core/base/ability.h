#pragma once
// Abilities: interfaces that some classes of a family have besides the interface of the family. Such a class is asked
// for one by a virtual function, which a wrapper forwards; a dynamic_cast would see the wrapper only.

#include <type_traits>
#include <typeinfo>

namespace sscope {

// For overrides of findAbility(): `self` as the one of Abilities that is wanted, as an untyped pointer; null if it is
// none of them.
template <class... Abilities, class Self>
[[nodiscard]] auto abilityAmong(const std::type_info& wanted, Self* self) {
  std::conditional_t<std::is_const_v<Self>, const void*, void*> found = nullptr;
  const auto offer = [&](const std::type_info& type, auto* ability) {
    if (wanted == type) found = ability;
  };
  (offer(typeid(Abilities), static_cast<std::conditional_t<std::is_const_v<Self>, const Abilities, Abilities>*>(self)),
   ...);
  return found;
}

// The ability of a plan or a workload, or of what it wraps; null if it has none.
template <class Ability, class Owner>
[[nodiscard]] auto* abilityOf(Owner& owner) {
  return static_cast<std::conditional_t<std::is_const_v<Owner>, const Ability, Ability>*>(
      owner.findAbility(typeid(Ability)));
}

}  // namespace sscope
